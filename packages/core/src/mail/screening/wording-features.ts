import type { WordingText } from "./wording-manners.ts";
import { mannersOf } from "./wording-manners.ts";

/** The features that wording is judged by. */
export interface WordingFeatures {
  /**
   * Words, pairs of neighbouring words, money and per cent signs, `#` for numbers, and manners in brackets;
   * each once.
   */
  features: ReadonlySet<string>;
  /** The number of different words. */
  words: number;
}

/** Characters of a text that its wording is judged by. */
export const MAX_WORDING_CHARS = 20_000;

/** Between two words that aren't neighbours: sentence punctuation, or a link. */
const BREAK = "";

const TOKENS = /[a-z][a-z']{0,18}|[$£€%]|\d[\d.,]*|[.!?;:]/g;
const NUMBER = "#";

/**
 * The words of a folded text in order, with money signs, `#` for each number, and {@link BREAK} between words
 * that aren't neighbours. Quoted lines are somebody else's, and links and addresses are examined elsewhere,
 * so neither counts. Linear.
 */
function wordingTokens(folded: string): string[] {
  const tokens: string[] = [];
  for (const line of folded.slice(0, MAX_WORDING_CHARS).split("\n")) {
    if (QUOTED.test(line)) continue;
    for (const token of withoutLinks(line).match(TOKENS) ?? []) tokens.push(tokenOf(token));
  }
  return tokens;
}

const QUOTED = /^\s{0,3}[>|]/;

function tokenOf(written: string): string {
  const first = written.charAt(0);
  if (first >= "a" || first === "$" || first === "%") return written;
  return first >= "0" && first <= "9" ? NUMBER : BREAK;
}

/** A single letter is not a word; a money sign or a number is. */
function isWord(token: string): boolean {
  return token.length > 1 || (token !== BREAK && !(token >= "a" && token <= "z"));
}

/** Calls `say` for each word and each pair of neighbours in the texts, with repeats. */
export function walkWording(
  texts: readonly WordingText[],
  say: { word: (word: string) => void; pair: (first: string, second: string) => void },
): void {
  for (const { folded } of texts) {
    let last = BREAK;
    for (const token of wordingTokens(folded)) {
      if (isWord(token)) say.word(token);
      if (token !== BREAK && last !== BREAK) say.pair(last, token);
      last = token;
    }
  }
}

/** The features of texts. Linear in their length. */
export function wordingFeatures(texts: readonly WordingText[]): WordingFeatures {
  const words = new Set<string>();
  const pairs = new Set<string>();
  walkWording(texts, {
    word: (word) => words.add(word),
    pair: (first, second) => pairs.add(`${first} ${second}`),
  });
  return { features: new Set([...words, ...pairs, ...mannersOf(texts)]), words: words.size };
}

function withoutLinks(line: string): string {
  if (!/@|:\/\/|www\./.test(line)) return line;
  return line
    .split(/\s+/)
    .map((chunk) => (/@|:\/\/|www\./.test(chunk) ? "." : chunk))
    .join(" ");
}
