import { type Spelling, spellingBetween, spellingOf, stepOfHash } from "./spellings.ts";
import { unitsOf } from "./units.ts";

/** One word of a folded text, and its position. */
export interface Word {
  text: string;
  /** Its text as it is remembered, with what is known of it. */
  spelling: Spelling;
  sentence: number;
  line: number;
  /** The word is the local part of a mail address. */
  address: boolean;
}

/** What ends a sentence before a space. */
const ENDS = ".!?;。！？｡؟।";

/** Longer words are cut: no rule looks at them. In scripts without spaces, they are continued in the next one. */
export const MAX_WORD_CHARS = 40;

/** This many single letters in a row are a word spelled out to escape notice ("i g n o r e"). */
const SPELLED_OUT = 6;

/**
 * Splits folded text into words in one pass over its units. Letters spelled out one by one are joined again; a wider gap
 * ends the word. A sentence ends at . ! ? and the like before a space, and at an empty line.
 */
export function tokenize(folded: string, units: Uint16Array = unitsOf(folded)): Word[] {
  const words: Word[] = [];
  let sentence = 0;
  let line = 1;
  let letters: Word[] = [];
  let gaps: number[] = [];
  let lastEnd = 0;
  const keepLetters = () => {
    if (letters.length >= SPELLED_OUT) words.push(...joined(letters, gaps));
    else words.push(...letters);
    letters = [];
    gaps = [];
  };
  let newlines = 0;
  for (let at = 0; at < units.length; at += 1) {
    const code = units[at] ?? 0;
    const kind = unitKind(code);
    if (kind < LETTER) {
      if (code === NEWLINE) newlines += 1;
      else if (kind === SENTENCE_END && endsWord(units[at + 1])) sentence += 1;
      continue;
    }
    line += newlines;
    if (newlines > 1) sentence += 1;
    newlines = 0;
    let hash = 0;
    let stem = at;
    let unit = code;
    // Most words end here; the next loop reads the others on.
    for (const most = Math.min(units.length, at + MAX_WORD_CHARS); stem < most; unit = units[stem] ?? 0) {
      if (unit >= BLOCK_UNITS || (FIRST_BLOCK[unit] ?? NO_LETTER) < LETTER) break;
      hash = stepOfHash(hash, unit);
      stem += 1;
    }
    for (; stem < units.length; unit = units[stem] ?? 0) {
      if (unitKind(unit) < LETTER || (unit > LAST_SPACED_UNIT && stem - at >= MAX_WORD_CHARS)) break;
      if (stem - at < MAX_WORD_CHARS) hash = stepOfHash(hash, unit);
      stem += 1;
    }
    const end = endOfEnding(units, stem);
    const cut = Math.min(stem, at + MAX_WORD_CHARS);
    const spelling =
      end === stem
        ? spellingBetween(units, at, cut, hash)
        : spellingOf(plainForm(folded.slice(at, cut), folded.slice(stem, end)));
    const { text } = spelling;
    const address = units[end] === AT_SIGN && (units[end + 1] ?? SPACE) > SPACE;
    const word = { text, spelling, sentence, line, address };
    const gap = at - lastEnd;
    lastEnd = end;
    at = end - 1;
    if (text.length === 1) {
      letters.push(word);
      gaps.push(gap);
      continue;
    }
    if (letters.length > 0) keepLetters();
    words.push(word);
    if (spelling.parts.length > 0)
      for (const part of spelling.parts) words.push({ ...word, text: part.text, spelling: part });
  }
  keepLetters();
  return words;
}

/** Thai, Lao, Burmese, Khmer, kana and Chinese characters: the scripts that put no spaces between words. */
const UNSPACED = /[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u9FFF\uF900-\uFAFF]/;

/** Whether a word is a run of several, in a script without spaces. */
export function isUnspaced(text: string): boolean {
  return text.charCodeAt(0) > LAST_SPACED_UNIT || text.charCodeAt(text.length - 1) > LAST_SPACED_UNIT
    ? UNSPACED.test(text)
    : false;
}

/** Thai is the first script without spaces. */
const LAST_SPACED_UNIT = 0x0dff;

/**
 * A word is letters, digits and underscores, in scripts without spaces at most MAX_WORD_CHARS of them, and an
 * apostrophe with the letters after it.
 */
function endOfEnding(units: Uint16Array, stem: number): number {
  const mark = units[stem];
  if (mark !== APOSTROPHE && mark !== CURLED_APOSTROPHE) return stem;
  let end = stem + 1;
  while (end < units.length && unitKind(units[end] ?? 0) === LETTER) end += 1;
  return end === stem + 1 ? stem : end;
}

const NEWLINE = 10;
const SPACE = 32;
const APOSTROPHE = 39;
const AT_SIGN = 64;
const CURLED_APOSTROPHE = 0x2019;

/**
 * Drops an article before an apostrophe (l'utilisateur) and a possessive after it (user's); keeps don't and
 * we'll.
 */
function plainForm(stem: string, ending: string): string {
  if (ending === "") return stem;
  const after = ending.slice(1, MAX_WORD_CHARS);
  if (after.length > 2) return after;
  return after === "s" ? stem : `${stem}'${after}`;
}

function endsWord(code: number | undefined): boolean {
  return code === undefined || code <= 32 || code === 34 || code === 41 || code > 0x2000;
}

function joined(letters: readonly Word[], gaps: readonly number[]): Word[] {
  const words: Word[] = [];
  for (const [index, letter] of letters.entries()) {
    const last = words.at(-1);
    if (last === undefined || (gaps[index] ?? 1) > 1 || last.text.length >= MAX_WORD_CHARS)
      words.push({ ...letter });
    else last.text += letter.text;
  }
  return words.map((word) => ({ ...word, spelling: spellingOf(word.text) }));
}

const NO_LETTER = 0;
const SENTENCE_END = 1;
const LETTER = 2;
const DIGIT = 3;

/** Units are classified in blocks of 256, each on first use. */
const BLOCK_BITS = 8;
const BLOCK_UNITS = 1 << BLOCK_BITS;
const blocks: Array<Uint8Array | undefined> = Array.from({ length: BLOCK_UNITS }, () => undefined);
const FIRST_BLOCK = unitKinds(0);

/**
 * Classifies a UTF-16 unit by Unicode letters and numbers (including the underscore): `LETTER` (with the marks that
 * are vowels in Indian scripts), a digit, or below these what ends a sentence and anything else. A table costs a tenth
 * of a regular expression. Surrogates are not letters, because no rule has words in those scripts.
 */
function unitKind(unit: number): number {
  if (unit < BLOCK_UNITS) return FIRST_BLOCK[unit] ?? NO_LETTER;
  const number = unit >> BLOCK_BITS;
  const block = (blocks[number] ??= unitKinds(number));
  return block[unit & (BLOCK_UNITS - 1)] ?? NO_LETTER;
}

function unitKinds(block: number): Uint8Array {
  return Uint8Array.from({ length: BLOCK_UNITS }, (_, at) => {
    const character = String.fromCharCode((block << BLOCK_BITS) + at);
    if (/[\p{L}\p{M}]/u.test(character)) return LETTER;
    if (/[\p{N}_]/u.test(character)) return DIGIT;
    return ENDS.includes(character) ? SENTENCE_END : NO_LETTER;
  });
}
