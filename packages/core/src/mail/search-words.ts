/** Words are cut off here: nobody types longer ones, and a blob of base 64 is no word. In UTF-16 units. */
export const WORD_MAX_CHARS = 64;

/**
 * Scripts that are written without spaces: their runs are cut into pairs. The prolonged sound mark belongs to
 * no script.
 */
const SPACELESS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

const run = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const spaceless = new RegExp(`[${SPACELESS}]`, "u");
const segment = new RegExp(`([${SPACELESS}]+)|[^${SPACELESS}]+`, "gu");

/**
 * Marks in a row are put in order by the normal form, which takes quadratic time: no writing system needs
 * more than these.
 */
const markRun = /(\p{M}{4})\p{M}+/gu;
/** Accents; and what is invisible inside a word: soft hyphen, joiners. */
const accents = /[\u0300-\u036f\u00ad\u200c\u200d\u2060\ufeff]+/g;
/** Letters that the normal form doesn't take apart. */
const folds: Record<string, string> = {
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
const ascii = /^[\0-\x7f]*$/;
/**
 * Letters that European languages write with, and punctuation: their normal form holds no marks but accents.
 */
const latin = /^[\0-\u024f\u2000-\u206f]*$/;
/** What is left of most such texts when accents are folded: words of it need no table of all scripts. */
const plain = /^[\0-\x7f\u2000-\u206f]*$/;
const plainRun = /[a-z0-9]+/g;
/**
 * A text of this length is cut in one go; of a longer one no more words are made than are wanted. In UTF-16
 * units.
 */
const WHOLE_CHARS = 200_000;
const foldable = new RegExp(`[${Object.keys(folds).join("")}]`, "g");

/**
 * The words of a text in order, at most `max`: lower case, accents folded, letters and digits of any script;
 * addresses and URLs fall into their parts. Runs of scripts without spaces become overlapping pairs of
 * characters and, as their last word, the last character, so that a prefix finds each single one. Linear in
 * the text.
 */
export function wordsOf(text: string, max: number): string[] {
  const folded = fold(text);
  if (folded.length <= WHOLE_CHARS && plain.test(folded))
    return (folded.match(plainRun) ?? []).slice(0, max).map(shorten);
  const words: string[] = [];
  for (const word of cut(folded, true)) {
    if (words.length >= max) break;
    words.push(word);
  }
  return words;
}

/**
 * The words that a text holding this one in a row holds: as `wordsOf`, without the last single characters of
 * runs.
 */
export function queryWordsOf(text: string): string[] {
  return [...cut(fold(text), false)];
}

/** Whether a word is one character of a script without spaces. */
export function isSingleSpaceless(word: string): boolean {
  return [...word].length === 1 && spaceless.test(word);
}

function* cut(folded: string, tails: boolean): Generator<string> {
  const anySpaceless = spaceless.test(folded);
  for (const [letters] of folded.matchAll(run)) {
    if (!anySpaceless || !spaceless.test(letters)) {
      yield shorten(letters);
      continue;
    }
    for (const [part, pairs] of letters.matchAll(segment)) {
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
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return withoutAccents(text)
    .toLowerCase()
    .replace(foldable, (letter) => folds[letter] ?? letter);
}

function withoutAccents(text: string): string {
  if (latin.test(text)) return text.normalize("NFKD").replace(accents, "");
  return text
    .replace(accents, "")
    .replace(markRun, "$1")
    .normalize("NFKD")
    .replace(accents, "")
    .normalize("NFC");
}

function shorten(word: string): string {
  if (word.length <= WORD_MAX_CHARS) return word;
  // Half a surrogate pair is no character.
  return word.slice(0, WORD_MAX_CHARS).replace(/[\ud800-\udbff]$/, "");
}
