import { ALWAYS, ANY_LANGUAGE, SPOKEN } from "../words/languages.ts";
import { UNLISTED } from "./listed-words.ts";

/** A text with fewer function words than this may be in any language. */
const ENOUGH_TOLD = 3;
/** Languages with at least this share of the function words of the likeliest one may be the text's too. */
const NEARLY_AS_MANY = 0.7;
/** A sentence with this many function words of a language that its text isn't in may be in that one too. */
const ENOUGH_OF_ANOTHER = 2;
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

/** The languages of a text, as bits, and of its sentences. */
interface Picked {
  languages: number;
  /**
   * Picks those of a sentence from the places of its words: those of its text, and others that it has function words of. All
   * languages, if it has no function words of its text's, or more of others. So a command in another language is read
   * wherever it stands, whatever stands around it.
   */
  languagesOf(places: Int32Array, first: number, end: number): number;
}

/** Picks the languages of texts by their function words. */
interface LanguagePicker {
  /** Picks them from the places of a text's words, in order; other words have higher ones, or UNLISTED. */
  pick(places: Int32Array, count: number): Picked;
}

/** Creates a picker; what it picked is valid until it picks again. */
export function languagePicker(): LanguagePicker {
  const counts = new Int32Array(SPOKEN.length);
  const own_to = new Int32Array(FUNCTION_WORDS.length);
  let text = 0;
  let picked = ANY_LANGUAGE;
  /** Counts a function word for its languages; returns those that now have as many as are enough, as bits. */
  const countFor = (place: number, enough: number): number => {
    const speakers = SPEAKERS[place] ?? [];
    let reached = 0;
    for (let each = 0; each < speakers.length; each += 1) {
      const language = speakers[each] ?? 0;
      const count = (counts[language] ?? 0) + 1;
      counts[language] = count;
      if (count >= enough) reached |= SPOKEN[language]?.bit ?? 0;
    }
    return reached;
  };
  const languagesOf = (places: Int32Array, first: number, end: number): number => {
    if (picked === ANY_LANGUAGE) return ANY_LANGUAGE;
    counts.fill(0);
    let own = 0;
    let others = 0;
    for (let nth = first; nth < end; nth += 1) {
      const place = places[nth] ?? UNLISTED;
      if (place === UNLISTED || place >= FUNCTION_WORDS.length) continue;
      own += own_to[place] === text ? 1 : -1;
      if (own_to[place] !== text) others |= countFor(place, ENOUGH_OF_ANOTHER);
    }
    return own > 0 ? picked | others : ANY_LANGUAGE;
  };
  return {
    pick(places, count) {
      counts.fill(0);
      let told = 0;
      for (let nth = 0; nth < count && told < MOST_TOLD; nth += 1) {
        const place = places[nth] ?? UNLISTED;
        if (place === UNLISTED || place >= FUNCTION_WORDS.length) continue;
        told += 1;
        countFor(place, ENOUGH_TOLD);
      }
      let most = 0;
      for (const each of counts) if (each > most) most = each;
      text += 1;
      picked = ANY_LANGUAGE;
      if (most < ENOUGH_TOLD) return { languages: picked, languagesOf };
      picked = ALWAYS;
      for (let language = 0; language < counts.length; language += 1) {
        if ((counts[language] ?? 0) < most * NEARLY_AS_MANY) continue;
        picked |= SPOKEN[language]?.bit ?? 0;
        for (const place of PLACES[language] ?? []) own_to[place] = text;
      }
      return { languages: picked, languagesOf };
    },
  };
}
