import type { PDFPageProxy } from "unpdf/pdfjs";
import { listRuns, type Run, type RunGlyph, SAME_LINE } from "./pdf-runs.ts";

/** Words of a page that are looked at, and the share of single letters that no text has. */
const MIN_WORDS = 12;
const MAX_SINGLE_LETTERS = 0.5;
/** Scripts that write words of several letters with spaces between them. */
const SPACED_LETTERS = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+/gu;
/** The minimum excess of a gap between words over the usual gap between letters, in shares of their size. */
const WORD_GAP = 0.15;

/** Whether the letters of a page's text are spaced out, so that its words fell into single letters. */
export function isSetApart(text: string): boolean {
  const words = text.match(SPACED_LETTERS) ?? [];
  const single = words.filter((word) => word.length === 1).length;
  return words.length >= MIN_WORDS && single > words.length * MAX_SINGLE_LETTERS;
}

/**
 * Reads a page glyph by glyph: words end where the page has a space, or where a gap is wider than usual on its
 * line. Empty if the page has too many pieces.
 */
export async function readSetApart(page: PDFPageProxy): Promise<string> {
  const runs = await listRuns(page, false);
  const lines: Run[][] = [];
  for (const run of runs) {
    const line = lines.at(-1);
    const before = line?.at(-1);
    const goes_on =
      before !== undefined &&
      Math.abs(run.across - before.across) < SAME_LINE * run.size &&
      run.start > before.start - run.size;
    if (goes_on) line?.push(run);
    else lines.push([run]);
  }
  return lines
    .map(readLine)
    .filter((text) => text !== "")
    .join("\n");
}

function readLine(line: readonly Run[]): string {
  const size = line[0]?.size || 1;
  const glyphs = line.flatMap((run) => run.glyphs);
  const gaps = glyphs.map((glyph, index) => gapBefore(glyph, glyphs[index - 1]) / size);
  const letters = gaps.filter(
    (_, index) => index > 0 && !isBlank(glyphs[index]) && !isBlank(glyphs[index - 1]),
  );
  const usual = letters.toSorted((one, other) => one - other)[Math.floor(letters.length / 2)] ?? 0;
  // On a page with its own spaces, gaps carry no information.
  const has_spaces = glyphs.some(isBlank);
  const text = glyphs.map((glyph, index) => {
    const is_word = !has_spaces && index > 0 && (gaps[index] ?? 0) > usual + WORD_GAP;
    return `${is_word ? " " : ""}${glyph.text}`;
  });
  return text.join("").replace(/\s+/g, " ").trim();
}

const gapBefore = ({ start }: RunGlyph, before: RunGlyph | undefined): number =>
  before === undefined ? 0 : start - before.end;
const isBlank = (glyph: RunGlyph | undefined): boolean => glyph?.text.trim() === "";
