import type { Verdict } from "../../model/approvals.ts";
import { inEachLanguage, type LanguageWords } from "../words/index.ts";

type ApprovalWords = NonNullable<LanguageWords["approvals"]>;

const APPROVAL_WORDS = inEachLanguage("approvals").map(({ words }) => words);

/** A question mark, or a symbol that says no next to words that say yes. */
const DOUBTFUL = /[?？؟👎❌🚫⛔🛑✋]/u;

/** The meaning of an owner's reply. */
export type ApprovalReading = { verdict: Verdict; comment: string | null } | { verdict: "unclear" };

const MAX_CHARS = 4_000;
const MAX_COMMENT_CHARS = 2_000;

/**
 * Reads an owner's reply from the new text of their mail, without quote and signature. An approval must say
 * nothing else: one with a condition does not count. A reply that starts with a no is a rejection, with the
 * rest as its comment, unless it also contains a yes. `names` may sign it.
 */
export function readApprovalReply(text: string, names: readonly string[]): ApprovalReading {
  const said = text.slice(0, MAX_CHARS).trim();
  const words = wordsIn(said);
  const signers = new Set(names.flatMap(wordsIn));
  const no = longest(words, "reject");
  if (no > 0) {
    if (holdsApproval(words.slice(no))) return { verdict: "unclear" };
    return { verdict: "reject", comment: restOf(said, no).slice(0, MAX_COMMENT_CHARS) || null };
  }
  if (DOUBTFUL.test(said)) return { verdict: "unclear" };
  const approves = APPROVAL_WORDS.some((language) => isApproval(words, language, signers));
  return approves ? { verdict: "approve", comment: null } : { verdict: "unclear" };
}

/** The words of a text in lower case, without punctuation and symbols. Apostrophes within words stay. */
function wordsIn(text: string): string[] {
  return matchesIn(text).map(([word]) => plain(word));
}

const matchesIn = (text: string): RegExpExecArray[] => [
  ...text.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu),
];

const plain = (word: string): string => word.normalize("NFKC").toLowerCase().replaceAll("’", "'");

/** The length in words of the longest phrase of that kind at the start, in any language. */
function longest(words: readonly string[], kind: "approve" | "reject"): number {
  const lengths = APPROVAL_WORDS.flatMap((language) =>
    language[kind].filter((phrase) => begins(words, phrase)).map((phrase) => wordsIn(phrase).length),
  );
  return Math.max(0, ...lengths);
}

const begins = (words: readonly string[], phrase: string): boolean =>
  wordsIn(phrase).every((word, index) => words[index] === word);

/**
 * Whether the whole reply is a yes in that language: the phrase, optional courtesies and an optional
 * signature.
 */
function isApproval(
  words: readonly string[],
  { approve, courtesy }: ApprovalWords,
  signers: ReadonlySet<string>,
): boolean {
  const phrase = Math.max(
    0,
    ...approve.filter((each) => begins(words, each)).map((each) => wordsIn(each).length),
  );
  return phrase > 0 && words.slice(phrase).every((word) => courtesy.includes(word) || signers.has(word));
}

const ONE_WORD_APPROVALS = new Set(
  APPROVAL_WORDS.flatMap(({ approve }) =>
    approve.filter((phrase) => wordsIn(phrase).length === 1).flatMap(wordsIn),
  ),
);

/** Whether these words contain an approval: "no problem, approve" is not a no. */
const holdsApproval = (words: readonly string[]): boolean =>
  words.some((word) => ONE_WORD_APPROVALS.has(word) && word.length > 2);

/** The text after its first words, as written. */
function restOf(text: string, words: number): string {
  const last = matchesIn(text)[words - 1];
  return last === undefined
    ? ""
    : text
        .slice(last.index + last[0].length)
        .replace(/^[\s\p{P}]+/u, "")
        .trim();
}
