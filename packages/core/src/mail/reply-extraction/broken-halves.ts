import { isBlank, type Line } from "./line.ts";

/** The column at which clients and servers wrap text: plain text has up to 72 columns, and its quote no more. */
const COLUMN = 72;
/** The lowest column assumed for a mail that was wrapped: nothing wraps text into shorter lines. */
const MIN_COLUMN = 48;
/** A line is not wrapped after its first words: "See https://…" stays one. */
const FIRST_BREAK = 10;
/** Below this, the longest line may have its length by chance. */
const SURE_COLUMN = 64;
/** A longer first word is cut, so that no line is read whole. */
const MAX_WORD_CHARS = 100;
/** The longest rest of a line after the column at which it was wrapped. */
const MAX_TAIL_CHARS = 44;
/** The number of undoubted tails that show that the mail was wrapped again, which decides about the doubtful ones. */
const CERTAIN_TAILS = 2;
/** Lines without a mark in a paragraph that was quoted with one mark. */
const MAX_TAIL_LINES = 30;

/** The rest of a wrapped line of code or markup: no word, and no emoji or emoticon that answers. */
const WORDLESS = /^[^\p{L}\p{N}\p{Extended_Pictographic}:;]{1,3}$/u;

/**
 * Returns the lines that belong to a quote although they have no mark: the tails of quoted lines that were wrapped
 * again in transit. Two things identify them: the line above is so wide that it left no room for their first word, and
 * they continue its sentence. An answer is set apart from the quote, or starts a sentence.
 */
export function brokenHalves(lines: readonly Line[]): ReadonlySet<number> {
  const halves: number[] = [];
  const certain: number[] = [];
  const likely: number[] = [];
  const doubtful: number[] = [];
  // Computed on demand, since hardly any mail needs it.
  let column = 0;
  let tails = 0;
  for (let at = 1; at < lines.length; at += 1) {
    if (lines[at]?.quoted || !lines[at - 1]?.quoted || isBlank(lines[at]) || isBlank(lines[at - 1])) continue;
    const end = tailEnd(lines, at);
    const run = [...Array(end - at).keys()].map((index) => at + index);
    column ||= columnOf(lines);
    const kind = judge(lines, at, end, column);
    if (kind === "rest") halves.push(...run);
    if (kind === "certain") {
      certain.push(...run);
      tails += 1;
    }
    if (kind === "likely") likely.push(...run);
    if (kind === "doubtful") doubtful.push(...run);
    at = end - 1;
  }
  const needed = column < SURE_COLUMN ? CERTAIN_TAILS : 1;
  return new Set([
    ...halves,
    ...(tails < needed ? [] : [...certain, ...likely]),
    ...(tails < CERTAIN_TAILS ? [] : doubtful),
  ]);
}

/** Returns the column at which a mail's lines were wrapped, if they were: no line that could be wrapped is longer. */
function columnOf(lines: readonly Line[]): number {
  let longest = 0;
  for (const { text, bare } of lines)
    if (text.length > longest && bare.slice(0, COLUMN).lastIndexOf(" ") > FIRST_BREAK) {
      longest = text.length;
      if (longest >= COLUMN) return COLUMN;
    }
  return Math.max(longest, MIN_COLUMN);
}

/** Returns the end of the unmarked lines that start at `at`: the next blank or quoted line. */
function tailEnd(lines: readonly Line[], at: number): number {
  let end = at;
  while (end < lines.length && !lines[end]?.quoted && !isBlank(lines[end])) end += 1;
  return end;
}

const endsSentence = ({ bare }: Line): boolean => /[.!?:]$/.test(bare);

/** Whether a line continues the sentence of the line above. */
const goesOn = (lines: readonly Line[], at: number): boolean =>
  !endsSentence(lines[at - 1] as Line) && !/^\s*[\p{Lu}\p{N}]/u.test(lines[at]?.text ?? "");

type Kind = "rest" | "certain" | "likely" | "doubtful" | "answer";

function judge(lines: readonly Line[], at: number, end: number, column: number): Kind {
  const above = lines[at - 1] as Line;
  const first = lines[at] as Line;
  const quoteGoesOn = lines[end]?.quoted === true;
  const continues = goesOn(lines, at);
  if (end === at + 1 && quoteGoesOn && WORDLESS.test(first.bare)) return "rest";
  if (end === at + 1 && quoteGoesOn && continues && isLinkOpen(above)) return "rest";
  if (end - at > MAX_TAIL_LINES) return "answer";
  for (let line = at; line < end; line += 1) if (!isFull(lines, line - 1, column)) return "answer";
  if (continues && quoteGoesOn) return "certain";
  // Many languages, and "I", capitalise words within a sentence.
  if (quoteGoesOn && (!endsSentence(above) || isLongWord(above, first))) return "likely";
  if (end > at + 1) return continues ? "doubtful" : "answer";
  return (quoteGoesOn || continues) && first.text.length <= MAX_TAIL_CHARS ? "doubtful" : "answer";
}

/** Whether the line had no room for the first word of the next one. */
function isFull(lines: readonly Line[], at: number, column: number): boolean {
  const next = lines[at + 1]?.text.trimStart() ?? "";
  const space = next.slice(0, MAX_WORD_CHARS).search(/\s/);
  const word = space < 0 ? Math.min(next.length, MAX_WORD_CHARS) : space;
  return (lines[at]?.text.length ?? 0) + 1 + word > column;
}

/** Whether a line ends with a colon and the next one is the link or path that it announces. */
const isLongWord = (above: Line, { bare }: Line): boolean =>
  above.bare.endsWith(":") && bare.length > MIN_COLUMN / 2 && !bare.includes(" ");

function isLinkOpen({ bare }: Line): boolean {
  return /[(<]?https?:\/\/\S*$/.test(bare.slice(-120)) || bare.lastIndexOf("(") > bare.lastIndexOf(")");
}
