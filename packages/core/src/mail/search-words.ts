/** Maximum length of a word in UTF-16 units: nobody types longer ones, and a Base64 blob is not a word. */
export const WORD_MAX_CHARS = 64;

/** Scripts without spaces: their runs are split into pairs. The prolonged sound mark belongs to no script. */
const SPACELESS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

const LETTERS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const SPACELESS_LETTER = new RegExp(`[${SPACELESS}]`, "u");
const SEGMENT = new RegExp(`[${SPACELESS}]+|[^${SPACELESS}]+`, "gu");

/** Normalisation sorts runs of combining marks in quadratic time; no writing system needs more than these. */
const MARK_RUN = /(\p{M}{4})\p{M}+/gu;
/** Accents, and invisible characters inside words: soft hyphens, joiners. */
const ACCENTS = /[\u0300-\u036f\u00ad\u200c\u200d\u2060\ufeff]+/g;
/** Letters that normalisation doesn't decompose. */
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
/** Letters of European languages, and punctuation: once normalised, their only marks are accents. */
const LATIN = /^[\0-\u024f\u2000-\u206f]*$/;
/** Most such texts after accents are removed: splitting them needs no Unicode tables. */
const PLAIN = /^[\0-\x7f\u2000-\u206f]*$/;
const PLAIN_WORDS = /[a-z0-9]+/g;
/** Characters that are read of a text, in UTF-16 units: enough for 40,000 words of any language. */
export const MAX_INDEXED_CHARS = 500_000;
/** A longer text is read in pieces of this size, only until enough words are found. */
const PIECE_CHARS = 20_000;
/** How far before its end a piece may end, so as not to split a word; a longer word is split. */
const CUT_WITHIN_CHARS = 500;
const WORD_END = /[\s\p{P}]/u;
const FOLDABLE = new RegExp(`[${Object.keys(FOLDS).join("")}]`, "g");

/**
 * The words of a text in order, at most `max`: lower case, accents folded, letters and digits of any script;
 * addresses and URLs are split. Runs of scripts without spaces become overlapping pairs of characters, plus
 * the last character, so that a prefix finds every single one. Reads MAX_INDEXED_CHARS characters, in pieces:
 * a text of one endless word has one of each piece. Linear.
 */
export function searchWordsOf(text: string, max: number): string[] {
  const words: string[] = [];
  const end = Math.min(text.length, MAX_INDEXED_CHARS);
  for (let at = 0; at < end && words.length < max; ) {
    const next = pieceEnd(text, at, end);
    addWords(words, text.slice(at, next), max);
    at = next;
  }
  return words;
}

function addWords(words: string[], piece: string, max: number): void {
  const folded = foldForSearch(piece);
  const found = PLAIN.test(folded) ? (folded.match(PLAIN_WORDS) ?? []) : splitWords(folded, true);
  for (const word of found) {
    if (words.length >= max) return;
    words.push(shortenWord(word));
  }
}

/** Where the piece that starts at `start` ends: between two words if there is such a place near its end. */
function pieceEnd(text: string, start: number, end: number): number {
  const last = start + PIECE_CHARS;
  if (last >= end) return end;
  for (let at = last; at > last - CUT_WITHIN_CHARS; at--) if (WORD_END.test(text.charAt(at))) return at;
  // Don't split a surrogate pair.
  return /[\udc00-\udfff]/.test(text.charAt(last)) ? last - 1 : last;
}

/**
 * The words that a text containing this one has in a row: like `searchWordsOf`, without the last single
 * characters of runs, and uncut: one of more than `WORD_MAX_CHARS` is in no index (`shortenWord`).
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
  // `matchAll` would run copies of the patterns, which V8 compiles anew after it collected garbage.
  for (const letters of folded.match(LETTERS) ?? []) {
    if (!anySpaceless || !SPACELESS_LETTER.test(letters)) {
      yield letters;
      continue;
    }
    for (const part of letters.match(SEGMENT) ?? []) {
      if (!SPACELESS_LETTER.test(part)) yield part;
      else yield* pairsOf(part, tails);
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

/** A text without case and accents: each of its words occurs in it unchanged. */
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

/** A word as it is indexed: its first `WORD_MAX_CHARS`. */
export function shortenWord(word: string): string {
  if (word.length <= WORD_MAX_CHARS) return word;
  // Don't keep half a surrogate pair.
  return word.slice(0, WORD_MAX_CHARS).replace(/[\ud800-\udbff]$/, "");
}
