import { CELLS as STRETCH_CELLS, type Stretches } from "./names-in-text.ts";
import { hashBetween, hashOf, stepOfHash } from "./text-hash.ts";
import { textOf } from "./utf16-units.ts";

/**
 * The words of a folded text, as a table of numbers: most words mean nothing, and an object for each would cost more
 * than all further work on it.
 */
export interface Words {
  readonly count: number;
  /** The units of the text. */
  readonly units: Uint16Array;
  /** `CELLS` numbers for each word, in text order. */
  readonly table: Int32Array;
  /** The words that don't occur in the text as they are read: don’t, i g n o r e, parts of send_email. */
  readonly composed: readonly string[];
}

/** The columns of a word in the table: its start (or its index in `composed`), its length, its hash. */
export const [START, LENGTH, HASH] = [0, 1, 2];
/** Its marks, the number of its sentence, and its line, from 1. */
export const [MARKS, SENTENCE, LINE] = [3, 4, 5];
/** The number of columns in the table. */
export const CELLS = 6;

/** Kinds of units: a word consists of those from `LETTER` on, and a `JOINT` may join it to the next. */
const NO_LETTER = 0;
const SENTENCE_END = 1;
const JOINT = 2;
/** These add up to the marks of a word. */
const LETTER = 4;
export const NUMBER = 8;
const UNDERSCORE = 16;
/** A character of a script that puts no spaces between words. */
export const UNSPACED = 32;
/** Further marks of a word: it begins a mail address; it is one of `composed`; it is a name, which means nothing. */
export const ADDRESS = 64;
export const COMPOSED = 128;
export const NAME = 256;

/** The characters that end a sentence before a space. */
const ENDS = ".!?;。！？｡؟।";

/** Longer words are cut, since no rule needs the rest. In scripts without spaces, they continue in the next word. */
export const MAX_WORD_CHARS = 40;

/** This many single letters in a row are a word spelled out to escape notice ("i g n o r e"). */
const SPELLED_OUT = 6;

/** A word with underscores is read as a whole, and as up to this many parts. */
const MAX_PARTS = 8;

/** Returns the text of a word. */
export function textAt({ table, units, composed }: Words, nth: number): string {
  const cell = nth * CELLS;
  const start = table[cell + START] ?? 0;
  if (((table[cell + MARKS] ?? 0) & COMPOSED) !== 0) return composed[start] ?? "";
  return textOf(units, start, start + (table[cell + LENGTH] ?? 0));
}

/** Returns the first unit of a word; 0 if it has none, like a part between two underscores. */
export function firstUnitAt({ table, units, composed }: Words, nth: number): number {
  const cell = nth * CELLS;
  const start = table[cell + START] ?? 0;
  if (((table[cell + MARKS] ?? 0) & COMPOSED) === 0) return units[start] ?? 0;
  return composed[start]?.charCodeAt(0) || 0;
}

/** Whether two words have the same text. */
export function isSameText(words: Words, one: number, other: number): boolean {
  const { table, units } = words;
  const first = one * CELLS;
  const second = other * CELLS;
  const length = table[first + LENGTH] ?? 0;
  if (table[first + HASH] !== table[second + HASH] || table[second + LENGTH] !== length) return false;
  if ((((table[first + MARKS] ?? 0) | (table[second + MARKS] ?? 0)) & COMPOSED) !== 0)
    return textAt(words, one) === textAt(words, other);
  const start = table[first + START] ?? 0;
  const beside = table[second + START] ?? 0;
  for (let at = 0; at < length; at += 1) if (units[start + at] !== units[beside + at]) return false;
  return true;
}

/** A table that is being filled. */
interface Table {
  cells: Int32Array;
  count: number;
  composed: string[];
}

/** The capacity for the words of an ordinary mail; a longer text takes more only while it is split. */
const ORDINARY_CELLS = new Int32Array(4_096 * CELLS);

/**
 * Splits folded text, given by its units, into words in one pass. Letters spelled out one by one are rejoined; a wider
 * gap ends the word. A sentence ends at . ! ? and the like before a space, and at an empty line. Each of the `names` is
 * one word.
 */
export function tokenize(units: Uint16Array, names: Stretches = []): Words {
  const words: Table = { cells: ORDINARY_CELLS, count: 0, composed: [] };
  const { length } = units;
  let sentence = 0;
  let line = 1;
  let newlines = 0;
  // The first of the single letters right before this word.
  let letters = 0;
  let name = 0;
  for (let at = 0; at < length; ) {
    let unit = units[at] ?? 0;
    let kind = unitKind(unit);
    while ((names[name + 1] ?? length) <= at) name += STRETCH_CELLS;
    if (at >= (names[name] ?? length)) kind |= LETTER;
    if (kind < LETTER) {
      at += 1;
      if (unit === NEWLINE) newlines += 1;
      else if (kind === SENTENCE_END && endsWord(units[at])) sentence += 1;
      continue;
    }
    if (newlines > 0) {
      line += newlines;
      if (newlines > 1) sentence += 1;
      newlines = 0;
    }
    const start = at;
    if (at >= (names[name] ?? length)) {
      joinLetters(words, units, letters);
      at = names[name + 1] ?? length;
      const marks = NAME | (names[name + 2] === 1 ? ADDRESS : 0);
      addName(words, units, start, at, marks, sentence, line);
      letters = words.count;
      continue;
    }
    const most = Math.min(length, at + MAX_WORD_CHARS);
    let hash = 0;
    let marks = 0;
    do {
      marks |= kind;
      hash = stepOfHash(hash, unit);
      at += 1;
      unit = at < length ? (units[at] ?? 0) : 0;
      kind = unitKind(unit);
    } while (kind >= LETTER && at < most);
    const size = at - start;
    let end = at;
    let has_ending = false;
    // Hardly any word continues.
    if (kind >= JOINT) {
      const stem = kind >= LETTER ? endOfLongWord(units, at) : at;
      end = endOfEnding(units, stem);
      if (units[end] === AT_SIGN && (units[end + 1] ?? SPACE) > SPACE) marks |= ADDRESS;
      has_ending = end > stem && !isPossessive(units, stem, end);
      if (has_ending) {
        joinLetters(words, units, letters);
        addWithEnding(words, units, { start, size, stem, end, marks, sentence, line });
      }
    }
    if (!has_ending) {
      if (size > 1) joinLetters(words, units, letters);
      add(words, start, size, hash, marks, sentence, line);
    }
    if (size > 1 || has_ending) {
      if ((marks & UNDERSCORE) !== 0) addParts(words, units);
      letters = words.count;
    }
    at = end;
  }
  joinLetters(words, units, letters);
  const { cells, count, composed } = words;
  return { count, units, table: cells.slice(0, count * CELLS), composed };
}

function add(
  words: Table,
  start: number,
  length: number,
  hash: number,
  marks: number,
  sentence: number,
  line: number,
): void {
  const cell = words.count * CELLS;
  if (cell === words.cells.length) {
    const longer = new Int32Array(2 * cell);
    longer.set(words.cells);
    words.cells = longer;
  }
  const { cells } = words;
  cells[cell + START] = start;
  cells[cell + LENGTH] = length;
  cells[cell + HASH] = hash;
  cells[cell + MARKS] = marks;
  cells[cell + SENTENCE] = sentence;
  cells[cell + LINE] = line;
  words.count += 1;
}

function addName(
  words: Table,
  units: Uint16Array,
  start: number,
  end: number,
  marks: number,
  sentence: number,
  line: number,
): void {
  const shown = Math.min(end, start + MAX_WORD_CHARS);
  add(words, start, shown - start, hashBetween(units, start, shown), marks, sentence, line);
}

function addText(words: Table, text: string, marks: number, sentence: number, line: number): void {
  const nth = words.composed.push(text) - 1;
  add(words, nth, text.length, hashOf(text), marks | COMPOSED, sentence, line);
}

/** A word of `size` letters, and an apostrophe at `stem` with further letters up to `end`. */
interface Ended {
  start: number;
  size: number;
  stem: number;
  end: number;
  marks: number;
  sentence: number;
  line: number;
}

/** The maximum number of letters after the apostrophe in words like don't and we'll. */
const LONGEST_KEPT_ENDING = 2;

/** Drops an article before an apostrophe (l'utilisateur), and keeps don't and we'll. */
function addWithEnding(
  words: Table,
  units: Uint16Array,
  { start, size, stem, end, marks, sentence, line }: Ended,
): void {
  const [from, to] = [stem + 1, Math.min(end, stem + MAX_WORD_CHARS)];
  if (to - from <= LONGEST_KEPT_ENDING) {
    const text = `${textOf(units, start, start + size)}'${textOf(units, from, to)}`;
    addText(words, text, marks, sentence, line);
    return;
  }
  let kinds = 0;
  for (let at = from; at < to; at += 1) kinds |= unitKind(units[at] ?? 0);
  add(words, from, to - from, hashBetween(units, from, to), kinds | (marks & ADDRESS), sentence, line);
}

/** Adds the parts of the last word, if it has underscores. */
function addParts(words: Table, units: Uint16Array): void {
  const { cells, count, composed } = words;
  const cell = (count - 1) * CELLS;
  const [start, length] = [cells[cell + START] ?? 0, cells[cell + LENGTH] ?? 0];
  const [marks, sentence, line] = [
    cells[cell + MARKS] ?? 0,
    cells[cell + SENTENCE] ?? 0,
    cells[cell + LINE] ?? 1,
  ];
  if ((marks & UNDERSCORE) === 0) return;
  const text = (marks & COMPOSED) === 0 ? textOf(units, start, start + length) : (composed[start] ?? "");
  for (const part of text.split("_", MAX_PARTS)) addText(words, part, marks & ADDRESS, sentence, line);
}

/** Joins the single letters from a word on to the last into words, if there are many. */
function joinLetters(words: Table, units: Uint16Array, letters: number): void {
  if (words.count - letters >= SPELLED_OUT) joinManyLetters(words, units, letters);
}

function joinManyLetters(words: Table, units: Uint16Array, letters: number): void {
  const { cells, count } = words;
  words.count = letters;
  for (let nth = letters; nth < count; ) {
    const first = nth * CELLS;
    const [marks, sentence, line] = [
      cells[first + MARKS] ?? 0,
      cells[first + SENTENCE] ?? 0,
      cells[first + LINE] ?? 1,
    ];
    let text = "";
    let last_end = 0;
    do {
      const start = cells[nth * CELLS + START] ?? 0;
      if (text !== "" && (start - last_end > 1 || text.length >= MAX_WORD_CHARS)) break;
      text += textOf(units, start, start + 1);
      last_end = endOfEnding(units, start + 1);
      nth += 1;
    } while (nth < count);
    addText(words, text, marks & ADDRESS, sentence, line);
  }
}

/** Thai, Lao, Burmese, Khmer, kana and Chinese characters: the scripts that put no spaces between words. */
const UNSPACED_SCRIPTS = /[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u9FFF\uF900-\uFAFF]/;

/** Whether a word is a run of several words, in a script without spaces. */
export function isUnspaced(text: string): boolean {
  return text.charCodeAt(0) > LAST_SPACED_UNIT || text.charCodeAt(text.length - 1) > LAST_SPACED_UNIT
    ? UNSPACED_SCRIPTS.test(text)
    : false;
}

/** Thai is the first script without spaces. */
const LAST_SPACED_UNIT = 0x0dff;

/**
 * Returns the end of a word of MAX_WORD_CHARS; in scripts without spaces it has no rest, as its words continue in the
 * next one.
 */
function endOfLongWord(units: Uint16Array, stem: number): number {
  let end = stem;
  while (end < units.length && (units[end] ?? 0) <= LAST_SPACED_UNIT && unitKind(units[end] ?? 0) >= LETTER)
    end += 1;
  return end;
}

/** Returns the end of a word: letters, digits and underscores, and an apostrophe with the letters after it. */
function endOfEnding(units: Uint16Array, stem: number): number {
  const mark = units[stem];
  if (mark !== APOSTROPHE && mark !== CURLED_APOSTROPHE) return stem;
  let end = stem + 1;
  while (end < units.length && (unitKind(units[end] ?? 0) & LETTER) !== 0) end += 1;
  return end === stem + 1 ? stem : end;
}

/** Whether an apostrophe and the letters after it are a possessive (user's), which is no part of a word. */
const isPossessive = (units: Uint16Array, stem: number, end: number): boolean =>
  end === stem + 2 && units[stem + 1] === LETTER_S;

const NEWLINE = 10;
const SPACE = 32;
const APOSTROPHE = 39;
const AT_SIGN = 64;
const LETTER_S = 115;
const CURLED_APOSTROPHE = 0x2019;

function endsWord(code: number | undefined): boolean {
  return code === undefined || code <= 32 || code === 34 || code === 41 || code > 0x2000;
}

/** Units are classified in blocks of 256, each on first use. */
const BLOCK_BITS = 8;
const BLOCK_UNITS = 1 << BLOCK_BITS;
const blocks: Array<Uint8Array | undefined> = Array.from({ length: BLOCK_UNITS }, () => undefined);
const FIRST_BLOCK = unitKinds(0);

/**
 * Classifies a UTF-16 unit by Unicode letters (with the marks that are vowels in Indian scripts) and numbers, the
 * underscore, the characters that end a sentence or join words, and all others. A table costs a tenth of a regular
 * expression. Surrogates are not letters, because no rule has words in those scripts.
 */
const unitKind = (unit: number): number =>
  unit < BLOCK_UNITS ? (FIRST_BLOCK[unit] ?? NO_LETTER) : laterKind(unit);

function laterKind(unit: number): number {
  const number = unit >> BLOCK_BITS;
  const block = (blocks[number] ??= unitKinds(number));
  return block[unit & (BLOCK_UNITS - 1)] ?? NO_LETTER;
}

function unitKinds(block: number): Uint8Array {
  return Uint8Array.from({ length: BLOCK_UNITS }, (_, at) => {
    const unit = (block << BLOCK_BITS) + at;
    const character = String.fromCharCode(unit);
    const unspaced = UNSPACED_SCRIPTS.test(character) ? UNSPACED : 0;
    if (/[\p{L}\p{M}]/u.test(character)) return LETTER | unspaced;
    if (/\p{N}/u.test(character)) return NUMBER | unspaced;
    if (character === "_") return UNDERSCORE;
    if (unit === APOSTROPHE || unit === CURLED_APOSTROPHE || unit === AT_SIGN) return JOINT;
    return ENDS.includes(character) ? SENTENCE_END : NO_LETTER;
  });
}
