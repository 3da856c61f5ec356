import { ALWAYS, ANY_LANGUAGE, SPOKEN } from "../words/languages.ts";
import { UNLISTED } from "./listed-words.ts";

/** A text with fewer function words than this may be in any language. */
const ENOUGH_TOLD = 3;
/** Languages with at least this share of the function words of the likeliest one may be the text's too. */
const NEARLY_AS_MANY = 0.7;
/** Which language a text is in is told by its first function words. */
const MOST_TOLD = 300;

/** The words that tell which language a text is in; each is known by its place here. */
export const FUNCTION_WORDS: readonly string[] = [...new Set(SPOKEN.flatMap(({ words }) => words))];

const placeOf = new Map(FUNCTION_WORDS.map((word, place) => [word, place]));
/** For each function word the languages that have it, by number. */
const SPEAKERS: readonly number[][] = FUNCTION_WORDS.map(() => []);
/** For each language its function words, by place. */
const PLACES: readonly (readonly number[])[] = SPOKEN.map(({ words }, language) =>
  words.map((word) => {
    const place = placeOf.get(word) ?? 0;
    SPEAKERS[place]?.push(language);
    return place;
  }),
);

/** The languages of a text, as bits, and what tells whether one of its sentences is in them. */
export interface Picked {
  languages: number;
  /** Whether a function word, by its place, is one of those languages. */
  isOwn(place: number): boolean;
}

/** Picks the languages of texts by their function words. */
interface LanguagePicker {
  /** Picks the languages of a text from the places of its words, in order; other words have higher ones, or UNLISTED. */
  pick(places: Int32Array, count: number): Picked;
}

/** Creates a picker; what it picked is valid until it picks again. */
export function languagePicker(): LanguagePicker {
  const counts = new Int32Array(SPOKEN.length);
  const own_to = new Int32Array(FUNCTION_WORDS.length);
  let text = 0;
  const isOwn = (place: number): boolean => own_to[place] === text;
  return {
    pick(places, count) {
      counts.fill(0);
      let told = 0;
      for (let nth = 0; nth < count && told < MOST_TOLD; nth += 1) {
        const place = places[nth] ?? UNLISTED;
        if (place === UNLISTED || place >= FUNCTION_WORDS.length) continue;
        told += 1;
        const speakers = SPEAKERS[place] ?? [];
        for (let each = 0; each < speakers.length; each += 1) {
          const language = speakers[each] ?? 0;
          counts[language] = (counts[language] ?? 0) + 1;
        }
      }
      let most = 0;
      for (const each of counts) if (each > most) most = each;
      text += 1;
      if (most < ENOUGH_TOLD) return { languages: ANY_LANGUAGE, isOwn };
      let languages = ALWAYS;
      for (let language = 0; language < counts.length; language += 1) {
        if ((counts[language] ?? 0) < most * NEARLY_AS_MANY) continue;
        languages |= SPOKEN[language]?.bit ?? 0;
        for (const place of PLACES[language] ?? []) own_to[place] = text;
      }
      return { languages, isOwn };
    },
  };
}
