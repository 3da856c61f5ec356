import { inEachLanguage } from "../words/index.ts";
import { phraseAt, plainWords, withoutGreeting } from "./answer-text.ts";
import { foldOption } from "./fits.ts";

/**
 * Reads which option an answer names: by its words, or by its number unless the options are numbers
 * themselves. Null when unclear.
 */
export function readChoice(text: string, options: readonly string[]): string | null {
  const whole = foldOption(text);
  const exact = whole === "" ? undefined : options.find((option) => foldOption(option) === whole);
  if (exact !== undefined) return exact;
  const said = withoutGreeting(text);
  const named = namedIn(foldOption(said), options);
  if (named.length > 1) return null;
  const words = plainWords(said);
  if (named.length === 1) return refuses(words) ? null : (named[0] ?? null);
  return numbered(words, options);
}

/**
 * The options whose words occur in the text. An option that is part of a longer option that also occurs is
 * not meant.
 */
function namedIn(said: string, options: readonly string[]): string[] {
  const spaced = ` ${said} `;
  const found = options.filter((option) => holds(spaced, foldOption(option)));
  return found.filter(
    (option) => !found.some((other) => other !== option && foldOption(other).includes(foldOption(option))),
  );
}

const holds = (spaced: string, option: string): boolean => {
  if (option === "") return false;
  return /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(option)
    ? spaced.includes(option)
    : spaced.includes(` ${option} `);
};

const NO_PHRASES = new Set(
  inEachLanguage("answers").flatMap(({ words }) => words.no.filter((phrase) => phrase.length > 1)),
);

/** "Not the garden" names the garden but doesn't choose it. */
const refuses = (words: readonly string[]): boolean =>
  words.some((_, at) => [...NO_PHRASES].some((phrase) => phraseAt(words, phrase, at) > 0));

const MAX_WORDS_AROUND_NUMBER = 6;

function numbered(words: readonly string[], options: readonly string[]): string | null {
  if (words.length > MAX_WORDS_AROUND_NUMBER || options.some((option) => /^\d+$/.test(foldOption(option))))
    return null;
  const numbers = words.filter((word) => /^\d{1,2}$/.test(word));
  const [number] = numbers;
  return numbers.length === 1 && number !== undefined && !refuses(words)
    ? (options[Number(number) - 1] ?? null)
    : null;
}
