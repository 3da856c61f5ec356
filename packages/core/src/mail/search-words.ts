/** Words are cut off here: nobody types longer ones, and a blob of base 64 is no word. In UTF-16 units. */
export const WORD_MAX_CHARS = 64;

/**
 * Scripts that are written without spaces: their runs are cut into pairs. The prolonged sound mark belongs to
 * no script.
 */
const SPACELESS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

const LETTERS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const SPACELESS_LETTER = new RegExp(`[${SPACELESS}]`, "u");
const SEGMENT = new RegExp(`([${SPACELESS}]+)|[^${SPACELESS}]+`, "gu");

/**
 * Marks in a row are put in order by the normal form, which takes quadratic time: no writing system needs
 * more than these.
 */
const MARK_RUN = /(\p{M}{4})\p{M}+/gu;
/** Accents; and what is invisible inside a word: soft hyphen, joiners. */
const ACCENTS = /[\u0300-\u036f\u00ad\u200c\u200d\u2060\ufeff]+/g;
/** Letters that the normal form doesn't take apart. */
const FOLDS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ",
};
const ASCII = /^[\0-\x7f]*$/;
/**
 * Letters that European languages write with, and punctuation: their normal form holds no marks but accents.
 */
const LATIN = /^[\0-\u024f\u2000-\u206f]*$/;
/** What is left of most such texts when accents are folded: words of it need no table of all scripts. */
const PLAIN = /^[\0-\x7f\u2000-\u206f]*$/;
const PLAIN_WORDS = /[a-z0-9]+/g;
/**
 * A text of this length is cut in one go; of a longer one no more words are made than are wanted. In UTF-16
 * units.
 */
const WHOLE_CHARS = 200_000;
const FOLDABLE = new RegExp(`[${Object.keys(FOLDS).join("")}]`, "g");

/**
 * The words of a text in order, at most `max`: lower case, accents folded, letters and digits of any script;
 * addresses and URLs fall into their parts. Runs of scripts without spaces become overlapping pairs of
 * characters and, as their last word, the last character, so that a prefix finds each single one. Linear in
 * the text.
 */
export function searchWordsOf(text: string, max: number): string[] {
  const folded = foldForSearch(text);
  if (folded.length <= WHOLE_CHARS && PLAIN.test(folded))
    return (folded.match(PLAIN_WORDS) ?? []).slice(0, max).map(shorten);
  const words: string[] = [];
  for (const word of splitWords(folded, true)) {
    if (words.length >= max) break;
    words.push(word);
  }
  return words;
}

/**
 * The words that a text holding this one in a row holds: as `searchWordsOf`, without the last single characters of
 * runs.
 */
export function queryWords(text: string): string[] {
  return [...splitWords(foldForSearch(text), false)];
}

/** Whether a word is one character of a script without spaces. */
export function isSingleSpaceless(word: string): boolean {
  return [...word].length === 1 && SPACELESS_LETTER.test(word);
}

function* splitWords(folded: string, tails: boolean): Generator<string> {
  const anySpaceless = SPACELESS_LETTER.test(folded);
  for (const [letters] of folded.matchAll(LETTERS)) {
    if (!anySpaceless || !SPACELESS_LETTER.test(letters)) {
      yield shorten(letters);
      continue;
    }
    for (const [part, pairs] of letters.matchAll(SEGMENT)) {
      if (pairs === undefined) yield shorten(part);
      else yield* pairsOf(pairs, tails);
    }
  }
}

function* pairsOf(characters: string, tails: boolean): Generator<string> {
  let last = "";
  let pairs = 0;
  for (const character of characters) {
    if (last !== "") {
      yield last + character;
      pairs++;
    }
    last = character;
  }
  if (tails || pairs === 0) yield last;
}

/** A text without case and accents: each of its words stands in it as it is. */
export function foldForSearch(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return withoutAccents(text)
    .toLowerCase()
    .replace(FOLDABLE, (letter) => FOLDS[letter] ?? letter);
}

function withoutAccents(text: string): string {
  if (LATIN.test(text)) return text.normalize("NFKD").replace(ACCENTS, "");
  return text
    .replace(ACCENTS, "")
    .replace(MARK_RUN, "$1")
    .normalize("NFKD")
    .replace(ACCENTS, "")
    .normalize("NFC");
}

function shorten(word: string): string {
  if (word.length <= WORD_MAX_CHARS) return word;
  // Half a surrogate pair is no character.
  return word.slice(0, WORD_MAX_CHARS).replace(/[\ud800-\udbff]$/, "");
}
