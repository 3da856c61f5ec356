import { inEachLanguage } from "../../words/index.ts";
import { foldText } from "../engine/fold.ts";

/** Languages that are too close to tell apart by a few words, or whose words of commands stand in one file. */
const CLOSE: readonly (readonly string[])[] = [
  ["sv", "da", "no"],
  ["cs", "sk"],
  ["bg", "sr", "mk"],
  ["id", "ms"],
  ["fil", "sw"],
  ["tr", "az"],
];

/** A language that a text may be in, with its function words. */
interface Spoken {
  /** Its bit, which close languages share; 0 if screening has no words of it. */
  bit: number;
  words: readonly string[];
}

/** The bit that every text has: that of words which count in any language. */
export const ALWAYS = 1 << 31;
/** Every bit: of a text that may be in any language. */
export const ANY_LANGUAGE = -1;

const groupOf = (language: string): string =>
  CLOSE.find((group) => group.includes(language))?.[0] ?? language;

const with_words = new Set(
  (["commands", "requests", "pressure", "steering"] as const).flatMap((kind) =>
    inEachLanguage(kind).map(({ language }) => groupOf(language)),
  ),
);

/** A bit for each group of languages that have both function words and words of commands or pressure. */
const BITS: ReadonlyMap<string, number> = new Map(
  [...new Set(inEachLanguage("function_words").map(({ language }) => groupOf(language)))]
    .filter((group) => with_words.has(group))
    .map((group, nth) => [group, 1 << nth]),
);

/** The languages that can be told by their function words. */
export const SPOKEN: readonly Spoken[] = inEachLanguage("function_words").map(({ language, words }) => ({
  bit: BITS.get(groupOf(language)) ?? 0,
  words: [...new Set(foldText(words).split(" "))],
}));

/** The bit of a language's words; those of a language without function words, such as one with its own script, count always. */
export const bitOfLanguage = (language: string): number => BITS.get(groupOf(language)) ?? ANY_LANGUAGE;
