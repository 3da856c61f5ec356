import { isBlank, type Line } from "./line.ts";

/** Where clients and servers wrap text at the earliest: plain text has up to 72 columns, and its quote no more. */
const COLUMN = 72;
/** A first word longer than this is cut, so that no line is read whole. */
const MAX_WORD_CHARS = 100;
/** What is left of a line behind the column at which it was wrapped. */
const MAX_TAIL_CHARS = 44;
/** So many lines without doubt show that the mail was wrapped again, which decides about the doubtful ones. */
const CERTAIN_TAILS = 2;
/** Lines that a paragraph quoted with one mark can have without it. */
const MAX_TAIL_LINES = 30;

/**
 * The lines that belong to a quote although they have no mark: the tails of quoted lines that were wrapped
 * again in transit. What shows them is the width of the line above, which left no room for their first word,
 * and that they go on with its sentence. An answer stands apart from the quote, or starts a sentence.
 */
export function brokenHalves(lines: readonly Line[]): ReadonlySet<number> {
  const certain: number[] = [];
  const doubtful: number[] = [];
  let tails = 0;
  for (let at = 1; at < lines.length; at += 1) {
    if (lines[at]?.quoted || !lines[at - 1]?.quoted || isBlank(lines[at]) || isBlank(lines[at - 1])) continue;
    const end = tailEnd(lines, at);
    const run = [...Array(end - at).keys()].map((index) => at + index);
    const kind = judge(lines, at, end);
    if (kind === "certain") {
      certain.push(...run);
      tails += 1;
    }
    if (kind === "doubtful") doubtful.push(...run);
    at = end - 1;
  }
  return new Set(tails < CERTAIN_TAILS ? certain : [...certain, ...doubtful]);
}

/** The end of the lines without a mark that start at `at`, up to a blank or quoted one. */
function tailEnd(lines: readonly Line[], at: number): number {
  let end = at;
  while (end < lines.length && !lines[end]?.quoted && !isBlank(lines[end])) end += 1;
  return end;
}

function judge(lines: readonly Line[], at: number, end: number): "certain" | "doubtful" | "answer" {
  const above = lines[at - 1] as Line;
  const first = lines[at] as Line;
  const quoteGoesOn = lines[end]?.quoted === true;
  const goesOn = !/[.!?:]$/.test(above.bare) && !/^\s*[\p{Lu}\p{N}]/u.test(first.text);
  if (end === at + 1 && quoteGoesOn && goesOn && isLinkOpen(above)) return "certain";
  if (end - at > MAX_TAIL_LINES) return "answer";
  for (let line = at; line < end; line += 1) if (!isFull(lines, line - 1)) return "answer";
  if (goesOn && quoteGoesOn) return "certain";
  if (end > at + 1) return goesOn ? "doubtful" : "answer";
  return (quoteGoesOn || goesOn) && first.text.length <= MAX_TAIL_CHARS ? "doubtful" : "answer";
}

/** Whether the line had no room for the first word of the next one. */
function isFull(lines: readonly Line[], at: number): boolean {
  const next = lines[at + 1]?.text.trimStart() ?? "";
  const space = next.slice(0, MAX_WORD_CHARS).search(/\s/);
  const word = space < 0 ? Math.min(next.length, MAX_WORD_CHARS) : space;
  return (lines[at]?.text.length ?? 0) + 1 + word > COLUMN;
}

function isLinkOpen({ bare }: Line): boolean {
  return /[(<]?https?:\/\/\S*$/.test(bare.slice(-120)) || bare.lastIndexOf("(") > bare.lastIndexOf(")");
}
