import type { MessageBodyRecord, MessageRecord } from "../model/messages.ts";

/** Maximum length of a word in UTF-16 units: nobody types longer ones, and a Base64 blob is not a word. */
export const WORD_MAX_CHARS = 64;

const IS_LETTER = /^[\p{L}\p{N}]/u;
const IS_MARK = /^\p{M}/u;
/** Scripts without spaces: their runs are split into pairs. The prolonged sound mark belongs to no script. */
const IS_SPACELESS =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Letters that together form one syllable although each is a separate letter. */
const IS_JAMO = /^[\u1100-\u11ff]/;

/** The known properties of a character, as bits. */
const KNOWN = 1;
const LETTER = 2;
const MARK = 4;
const SPACELESS = 8;
/** It stays unchanged when accents are removed, whatever its neighbours. */
const FREE = 16;
/** It is the first half of a surrogate pair. */
const PAIRED = 32;
/** It is a character of two halves. */
const WIDE = 64;
/** The first half of most emoji: no such character is a letter, or has another spelling. */
const EMOJI_HALF = 0xd83d;
/** The kinds of all single-unit characters, each determined when it is first met. */
const kinds = new Uint8Array(0x10000);

/** Normalisation sorts runs of combining marks in quadratic time; no writing system needs more than these. */
const MARK_RUN = /(\p{M}{4})\p{M}+/gu;
/** The range of accents; they are removed like the invisible characters inside words: soft hyphens, joiners. */
const [FIRST_ACCENT, LAST_ACCENT] = [0x0300, 0x036f];
const SOFT_HYPHEN = 0x00ad;
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
const isLatin = (code: number): boolean => code < 0x250 || (code >= 0x2000 && code < 0x2070);
/** Most such texts after accents are removed: splitting them needs no Unicode tables. */
const PLAIN = /^[\0-\x7f\u2000-\u206f]*$/;
const PLAIN_WORDS = /[a-z0-9]+/g;
/** The most words of a text that are indexed. In scripts without spaces each pair of characters is a word. */
export const MAX_INDEXED_WORDS = 40_000;
/** Characters of a text that are read, in UTF-16 units: enough for 40,000 words of any language. */
export const MAX_INDEXED_CHARS = 500_000;
/** A longer text is read in pieces of this size, only until enough words are found. */
const PIECE_CHARS = 20_000;
/** The distance from its end within which a piece is cut between two words; a longer word is split. */
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
  const end = indexedEnd(text);
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

/** Returns the end of the part of a text that is read. */
const indexedEnd = (text: string): number => Math.min(text.length, MAX_INDEXED_CHARS);

/** Returns the result of `searchWordsOf` as one string with a space between two words, in a third of the time. */
export function joinedSearchWords(text: string, max: number): string {
  const pieces: string[] = [];
  const end = indexedEnd(text);
  for (let at = 0, left = max; at < end && left > 0; ) {
    const next = pieceEnd(text, at, end);
    const piece = text.slice(at, next);
    const { words, count } = joinPlain(piece, left) ?? joinAny(foldForSearch(piece), left);
    if (count > 0) pieces.push(words);
    left -= count;
    at = next;
  }
  return pieces.join(" ");
}

/**
 * Returns the words by which a message's text is found, as one string, because very many messages are in memory with
 * them.
 */
export function indexedWords(
  { extracted_text }: Pick<MessageRecord, "extracted_text">,
  { text }: Pick<MessageBodyRecord, "text">,
): string {
  return joinedSearchWords(text ?? extracted_text, MAX_INDEXED_WORDS);
}

interface JoinedWords {
  words: string;
  count: number;
}

const SPACE = 0x20;
/** The buffer in which words are joined, reused for one text after the other. */
let plain_space = Buffer.alloc(PIECE_CHARS);
let any_space = new Uint16Array(PIECE_CHARS);

/** Joins the words of a text whose letters and digits all become ASCII when folded; undefined for any other text. */
function joinPlain(text: string, max: number): JoinedWords | undefined {
  const most = (MAX_LATIN_FOLD + 1) * text.length;
  if (plain_space.length < most) plain_space = Buffer.alloc(most);
  const space = plain_space;
  let [length, count, word] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const fold = latin_folds[code] || (isLatin(code) ? findLatinFold(code) : 0);
    if (fold === 0) return undefined;
    const several = fold === SEVERAL ? (several_folds[code] ?? []) : undefined;
    for (let each = 0; each < (several?.length ?? 1); each++) {
      const kept = several?.[each] ?? fold;
      if ((kept >= 0x61 && kept <= 0x7a) || (kept >= 0x30 && kept <= 0x39)) {
        if (word === 0 && count === max) return { words: space.toString("latin1", 0, length), count };
        if (word === 0 && count++ > 0) space[length++] = SPACE;
        if (word++ < WORD_MAX_CHARS) space[length++] = kept;
      } else if (kept < 0x80 || (kindOf(kept) & (LETTER | MARK)) === 0) word = 0;
      else return undefined;
    }
  }
  return { words: space.toString("latin1", 0, length), count };
}

/** Joins the words of a folded text. */
function joinAny(folded_text: string, max: number): JoinedWords {
  // In scripts without spaces, each character begins a pair.
  const most = 3 * folded_text.length + 1;
  if (any_space.length < most) any_space = new Uint16Array(most);
  const space = any_space;
  let [length, count] = [0, 0];
  findWords(folded_text, true, (start, end) => {
    if (count === max) return false;
    if (count++ > 0) space[length++] = SPACE;
    const last = shortEnd(folded_text, start, end);
    for (let at = start; at < last; at++) space[length++] = folded_text.charCodeAt(at);
    return true;
  });
  return { words: Buffer.from(space.buffer, 0, 2 * length).toString("utf16le"), count };
}

/** Returns the end of the piece that starts at `start`: between two words if there is such a place near its end. */
function pieceEnd(text: string, start: number, end: number): number {
  const last = start + PIECE_CHARS;
  if (last >= end) return end;
  for (let at = last; at > last - CUT_WITHIN_CHARS; at--) if (WORD_END.test(text.charAt(at))) return at;
  // Don't split a surrogate pair.
  return /[\udc00-\udfff]/.test(text.charAt(last)) ? last - 1 : last;
}

/**
 * Returns the consecutive words that a text containing this one must have: like `searchWordsOf`, but without the last
 * single characters of runs, and uncut: a word of more than `WORD_MAX_CHARS` is in no index (`shortenWord`).
 */
export function queryWords(text: string): string[] {
  return splitWords(foldForSearch(text), false);
}

/** Whether a word is one character of a script without spaces. */
export function isSingleSpaceless(word: string): boolean {
  return [...word].length === 1 && IS_SPACELESS.test(word);
}

function splitWords(folded: string, tails: boolean): string[] {
  const words: string[] = [];
  findWords(folded, tails, (start, end) => words.push(folded.slice(start, end)) > 0);
  return words;
}

/** Receives the start and end of a word; returns whether to continue. */
type TakeWord = (start: number, end: number) => boolean;

/**
 * Finds the words of a folded text. Looks at each character once: patterns with Unicode classes take ten times as long.
 */
function findWords(folded: string, tails: boolean, take: TakeWord): void {
  for (let at = 0; at < folded.length; ) {
    const kind = kindAt(folded, at);
    if ((kind & LETTER) === 0) {
      at += widthOf(kind);
      continue;
    }
    at = findWord(folded, at, tails, take);
    if (at === -1) return;
  }
}

/**
 * Finds the words in the letters that begin at `start`; returns the end of the letters, or -1 when no more words are
 * wanted.
 */
function findWord(folded: string, start: number, tails: boolean, take: TakeWord): number {
  let at = start;
  for (;;) {
    const part = at;
    const spaceless = kindAt(folded, at) & SPACELESS;
    let last = at;
    while (at < folded.length) {
      const kind = kindAt(folded, at);
      if ((kind & (LETTER | MARK)) === 0 || (kind & SPACELESS) !== spaceless) break;
      const next = at + widthOf(kind);
      if (spaceless !== 0 && at > part && !take(last, next)) return -1;
      last = at;
      at = next;
    }
    if (at === part) return at;
    const begin = spaceless === 0 ? part : last;
    if ((spaceless === 0 || tails || last === part) && !take(begin, at)) return -1;
  }
}

/** Returns the kind of the character at this position, which may have two halves. */
function kindAt(text: string, at: number): number {
  const kind = kinds[text.charCodeAt(at)] || kindOf(text.charCodeAt(at));
  if ((kind & PAIRED) === 0) return kind;
  const code = text.codePointAt(at) ?? 0;
  return lettersOf(String.fromCodePoint(code)) | (code > 0xffff ? WIDE : 0);
}

const widthOf = (kind: number): number => ((kind & WIDE) === 0 ? 1 : 2);

/** Returns the kind of a single-unit character or a half; 0 behind the end of a text. */
function kindOf(code: number): number {
  const known = kinds[code] ?? 0;
  if (known !== 0 || Number.isNaN(code)) return known;
  const kind = KNOWN | findKind(code, String.fromCharCode(code));
  kinds[code] = kind;
  return kind;
}

function findKind(code: number, character: string): number {
  if (/[\ud800-\udbff]/.test(character)) return code === EMOJI_HALF ? PAIRED | FREE : PAIRED;
  const letters = lettersOf(character);
  const free = (letters & MARK) === 0 && !IS_JAMO.test(character) && withoutAccents(character) === character;
  return free ? letters | FREE : letters;
}

const lettersOf = (character: string): number =>
  (IS_LETTER.test(character) ? LETTER : 0) |
  (IS_MARK.test(character) ? MARK : 0) |
  (IS_SPACELESS.test(character) ? SPACELESS : 0);

/** Removes case and accents from a text: each of its words occurs in the result unchanged. */
export function foldForSearch(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  if (LATIN.test(text)) return foldLatin(text);
  return folded(isFree(text) ? text : withoutAccents(text));
}

const folded = (text: string): string =>
  text.toLowerCase().replace(FOLDABLE, (letter) => FOLDS[letter] ?? letter);

/**
 * The folded form of each `LATIN` character, regardless of its neighbours: one character's code, or `SEVERAL` for an
 * entry of the second table, which may also be empty. 0: not determined yet.
 */
const latin_folds = new Uint16Array(0x2070);
const SEVERAL = 0xffff;
const several_folds: (readonly number[])[] = [];
/** The most characters in a folded form: four primes, from one. */
const MAX_LATIN_FOLD = 4;

/** Normalises, removes accents and folds in one step, in a third of the time. */
function foldLatin(text: string): string {
  const kept = new Uint16Array(MAX_LATIN_FOLD * text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const fold = latin_folds[code] || findLatinFold(code);
    if (fold !== SEVERAL) kept[length++] = fold;
    else for (const each of several_folds[code] ?? []) kept[length++] = each;
  }
  return Buffer.from(kept.buffer, 0, 2 * length).toString("utf16le");
}

function findLatinFold(code: number): number {
  const text = folded(dropAccents(String.fromCharCode(code).normalize("NFKD")));
  const fold = text.length === 1 && text !== "\0" ? text.charCodeAt(0) : SEVERAL;
  if (fold === SEVERAL) several_folds[code] = Array.from(text, (_, at) => text.charCodeAt(at));
  latin_folds[code] = fold;
  return fold;
}

/** Whether every character stays unchanged when accents are removed, whatever its neighbours. */
function isFree(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const kind = kinds[text.charCodeAt(at)] || kindOf(text.charCodeAt(at));
    if ((kind & FREE) === 0) return false;
  }
  return true;
}

function withoutAccents(text: string): string {
  const decomposed = dropAccents(text).replace(MARK_RUN, "$1").normalize("NFKD");
  return dropAccents(decomposed).normalize("NFC");
}

/**
 * Removes accents without a pattern, whose replacement takes three times as long if every second character is an
 * accent.
 */
function dropAccents(text: string): string {
  const first = firstAccent(text);
  if (first === -1) return text;
  const kept = new Uint16Array(text.length - first);
  let length = 0;
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isAccent(code)) continue;
    kept[length] = code;
    length += 1;
  }
  return text.slice(0, first) + Buffer.from(kept.buffer, 0, 2 * length).toString("utf16le");
}

function firstAccent(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isAccent(code)) return at;
  }
  return -1;
}

const isAccent = (code: number): boolean =>
  code <= LAST_ACCENT
    ? code >= FIRST_ACCENT || code === SOFT_HYPHEN
    : code === 0x200c || code === 0x200d || code === 0x2060 || code === 0xfeff;

/** Returns a word as it is indexed: its first `WORD_MAX_CHARS`. */
export const shortenWord = (word: string): string => word.slice(0, shortEnd(word, 0, word.length));

/** Returns the end of the part of a word that is indexed. */
function shortEnd(text: string, start: number, end: number): number {
  if (end - start <= WORD_MAX_CHARS) return end;
  const last = start + WORD_MAX_CHARS;
  // Don't keep half a surrogate pair.
  return (text.charCodeAt(last - 1) & 0xfc00) === 0xd800 ? last - 1 : last;
}
