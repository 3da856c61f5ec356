import type { Passage } from "./reading.ts";

/**
 * How a text is written, whatever its words: each manner is a feature of the wording model; its brackets
 * distinguish it from words.
 */
const MANNERS: ReadonlyArray<{ manner: string; holds: (counts: Counts) => boolean }> = [
  {
    manner: "(capitals)",
    holds: ({ capitals, letters }) => capitals > 0.12 * Math.max(letters, LEAST_LETTERS),
  },
  {
    manner: "(mostly-capitals)",
    holds: ({ capitals, letters }) => capitals > 0.3 * Math.max(letters, LEAST_LETTERS),
  },
  { manner: "(exclaiming)", holds: ({ exclamations }) => exclamations >= 3 },
  { manner: "(loudly-exclaiming)", holds: ({ exclamations }) => exclamations >= 6 },
];

interface Counts {
  letters: number;
  capitals: number;
  exclamations: number;
}

/** With fewer letters, initials and names are too large a share. */
const LEAST_LETTERS = 100;
const MAX_MANNER_CHARS = 20_000;

/** The manners of texts. Linear; reads the start of each text. */
export function mannersOf(texts: readonly WordingText[]): string[] {
  const counts: Counts = { letters: 0, capitals: 0, exclamations: 0 };
  for (const { text } of texts) count(text, counts);
  return MANNERS.filter(({ holds }) => holds(counts)).map(({ manner }) => manner);
}

function count(text: string, counts: Counts): void {
  const end = Math.min(text.length, MAX_MANNER_CHARS);
  for (let at = 0; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === EXCLAMATION_MARK) counts.exclamations += 1;
    else if (code >= SMALL_A && code <= SMALL_Z) counts.letters += 1;
    else if (code >= CAPITAL_A && code <= CAPITAL_Z) {
      counts.letters += 1;
      counts.capitals += 1;
    }
  }
}

const EXCLAMATION_MARK = 33;
const CAPITAL_A = 65;
const CAPITAL_Z = 90;
const SMALL_A = 97;
const SMALL_Z = 122;

/** A text as written, and folded (`foldText`). */
export type WordingText = Pick<Passage, "text" | "folded">;
