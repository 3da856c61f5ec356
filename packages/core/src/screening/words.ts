/** One word of a folded text: where it stands, and in which sentence. */
export interface Word {
  text: string;
  sentence: number;
  line: number;
  /** The word is the part of a mail address before its @. */
  address: boolean;
}

/** Words longer than this are cut: no rule looks at longer ones. */
export const MAX_WORD_CHARS = 40;

/** As many single letters in a row are a word spelled out to escape notice ("i g n o r e"). */
const SPELLED_OUT = 6;

/**
 * Splits folded text into words in one pass. Letters that are spelled out one by one are put together again, a wider gap ending
 * the word. Sentences end at . ! ? and their like before a space, and at an empty line.
 */
export function wordsOf(folded: string): Word[] {
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
  for (const match of folded.matchAll(WORD)) {
    const gap = match.index - lastEnd;
    let newlines = 0;
    for (let at = lastEnd; at < match.index; at += 1) {
      const code = folded.charCodeAt(at);
      if (code === NEWLINE) newlines += 1;
      else if (isSentenceEnd(code) && endsWord(folded.charCodeAt(at + 1))) sentence += 1;
    }
    line += newlines;
    if (newlines > 1) sentence += 1;
    lastEnd = match.index + match[0].length;
    const address = folded.charCodeAt(lastEnd) === AT_SIGN && folded.charCodeAt(lastEnd + 1) > SPACE;
    const text = match[0].length < 3 ? match[0] : plainForm(match[0].slice(0, MAX_WORD_CHARS));
    const word = { text, sentence, line, address };
    if (text.length === 1) {
      letters.push(word);
      gaps.push(gap);
      continue;
    }
    if (letters.length > 0) keepLetters();
    words.push(word);
    if (text.includes("_")) for (const part of text.split("_").slice(0, MAX_PARTS)) words.push({ ...word, text: part });
  }
  keepLetters();
  return words;
}

const WORD = /[\p{L}\p{N}_]+(?:['’]\p{L}+)?/gu;
const NEWLINE = 10;
const SPACE = 32;
const AT_SIGN = 64;

/** A word joined by underscores is read as a whole and by at most so many of its parts. */
const MAX_PARTS = 8;

/** Drops an article in front of an apostrophe (l'utilisateur) and a possessive after it (user's); keeps don't and we'll. */
function plainForm(word: string): string {
  const at = word.search(/['’]/u);
  if (at < 0) return word;
  const after = word.slice(at + 1);
  if (after.length > 2) return after;
  return after === "s" ? word.slice(0, at) : `${word.slice(0, at)}'${after}`;
}
const ENDS = new Set([..."!?;。！？｡؟।"].map((mark) => mark.charCodeAt(0)).concat(46));

function isSentenceEnd(code: number): boolean {
  return ENDS.has(code);
}

function endsWord(code: number): boolean {
  return Number.isNaN(code) || code <= 32 || code === 34 || code === 41 || code > 0x2000;
}

function joined(letters: readonly Word[], gaps: readonly number[]): Word[] {
  const words: Word[] = [];
  for (const [index, letter] of letters.entries()) {
    const last = words.at(-1);
    if (last === undefined || (gaps[index] ?? 1) > 1 || last.text.length >= MAX_WORD_CHARS) words.push({ ...letter });
    else last.text += letter.text;
  }
  return words;
}
