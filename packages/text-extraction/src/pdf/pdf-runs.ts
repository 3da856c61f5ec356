import { getResolvedPDFJS } from "unpdf";
import type { PDFPageProxy } from "unpdf/pdfjs";
import { placeOf, type TextItem } from "./pdf-lines.ts";

/** Pieces of text and glyphs of one page. */
const MAX_RUNS = 20_000;
const MAX_GLYPHS = 200_000;
/** Filled shapes that may lie behind white text. */
const MAX_SHAPES = 2_000;
/** The maximum distance between two pieces of one line, in shares of the size of the letters. */
export const SAME_LINE = 0.3;
/** Rendering modes without ink (ISO 32000-1, table 106). */
const INVISIBLE_MODES = [3, 7];
const WHITE = /^#f[a-f]f[a-f]f[a-f]$/i;
/** A font's glyph space, in text space. */
const GLYPH_UNIT = 0.001;

type Matrix = readonly number[];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** A glyph on its line, with its own width, independent of the distance to the next one. */
export interface RunGlyph {
  text: string;
  start: number;
  end: number;
}

/** A piece of text on its line: from where to where in points, and whether it can be seen. */
export interface Run {
  start: number;
  end: number;
  across: number;
  size: number;
  hidden: boolean;
  glyphs: RunGlyph[];
}

interface State {
  ctm: Matrix;
  fill: string;
  alpha: number;
  mode: number;
  size: number;
  unit: number;
  char_spacing: number;
  word_spacing: number;
  stretch: number;
  leading: number;
}

/**
 * Lists the pieces of text of a page in drawing order, from the page's operators. White text on no background counts as
 * hidden only with `judges_white`: a picture may be behind it. Returns none for a page of very many pieces.
 */
export async function listRuns(page: PDFPageProxy, judges_white: boolean): Promise<Run[]> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const runs: Run[] = [];
  const shapes: { from: readonly [number, number]; to: readonly [number, number] }[] = [];
  const saved: State[] = [];
  let glyph_count = 0;
  let everything_covered = false;
  let text: Matrix = IDENTITY;
  let line: Matrix = IDENTITY;
  let now: State = {
    ctm: IDENTITY,
    fill: "#000000",
    alpha: 1,
    mode: 0,
    size: 1,
    unit: GLYPH_UNIT,
    char_spacing: 0,
    word_spacing: 0,
    stretch: 1,
    leading: 0,
  };

  const moveLine = (x: number, y: number) => {
    line = multiply(line, [1, 0, 0, 1, x, y]);
    text = line;
  };
  const begin = (matrix: ArrayLike<number> | null) => {
    saved.push(now);
    if (matrix !== null) now = { ...now, ctm: multiply(now.ctm, Array.from(matrix)) };
  };
  const end = () => {
    now = saved.pop() ?? now;
  };

  function isHidden([x, y]: readonly [number, number]): boolean {
    if (INVISIBLE_MODES.includes(now.mode) || now.alpha === 0) return true;
    if (!judges_white || everything_covered || !WHITE.test(now.fill)) return false;
    return !shapes.some(({ from, to }) => x >= from[0] && x <= to[0] && y >= from[1] && y <= to[1]);
  }

  function showText(shown: readonly (number | Glyph)[]): void {
    const matrix = multiply(now.ctm, text);
    const scale = Math.hypot(matrix[0] ?? 1, matrix[1] ?? 0);
    const { start, across } = placeOf({ transform: matrix, width: 0, height: 0 });
    const glyphs: RunGlyph[] = [];
    let advance = 0;
    for (const glyph of shown) {
      if (typeof glyph === "number") {
        advance -= glyph * GLYPH_UNIT * now.size * now.stretch;
        continue;
      }
      const width = glyph.width * now.unit * now.size * now.stretch;
      const from = start + advance * scale;
      glyphs.push({ text: glyph.unicode, start: from, end: from + width * scale });
      advance += width + (now.char_spacing + (glyph.isSpace ? now.word_spacing : 0)) * now.stretch;
    }
    glyph_count += glyphs.length;
    const size = Math.abs(now.size) * scale;
    const middle = multiply(matrix, [1, 0, 0, 1, advance / 2, now.size * SAME_LINE]);
    const hidden = isHidden([middle[4] ?? 0, middle[5] ?? 0]);
    runs.push({ start, end: start + advance * scale, across, size, hidden, glyphs });
    text = multiply(text, [1, 0, 0, 1, advance, 0]);
  }

  function fill(box: ArrayLike<number> | undefined): void {
    if (WHITE.test(now.fill) || now.alpha === 0 || box === undefined) return;
    const corners = [0, 2].map((x) =>
      multiply(now.ctm, [1, 0, 0, 1, box[x] ?? 0, box[x + 1] ?? 0]).slice(4),
    ) as [[number, number], [number, number]];
    const [one, other] = corners;
    if (shapes.length >= MAX_SHAPES) everything_covered = true;
    else
      shapes.push({
        from: [Math.min(one[0], other[0]), Math.min(one[1], other[1])],
        to: [Math.max(one[0], other[0]), Math.max(one[1], other[1])],
      });
  }

  function setFont(name: string, size: number): void {
    const font = page.commonObjs.has(name) ? (page.commonObjs.get(name) as { fontMatrix?: number[] }) : {};
    now = { ...now, size, unit: font.fontMatrix?.[0] ?? GLYPH_UNIT };
  }

  const paints: readonly unknown[] = [OPS.fill, OPS.eoFill, OPS.fillStroke, OPS.eoFillStroke];
  const change = (changed: Partial<State>) => {
    now = { ...now, ...changed };
  };
  // The arguments of each operator are checked by the PDF reader.
  const actions: Record<number, (first: never, second: never, third: never) => void> = {
    [OPS.save]: () => begin(null),
    [OPS.restore]: end,
    [OPS.paintFormXObjectBegin]: begin,
    [OPS.paintFormXObjectEnd]: end,
    [OPS.beginText]: () => {
      text = IDENTITY;
      line = IDENTITY;
    },
    [OPS.setTextMatrix]: (matrix: ArrayLike<number>) => {
      line = Array.from(matrix);
      text = line;
    },
    [OPS.moveText]: moveLine,
    [OPS.setLeadingMoveText]: (x: number, y: number) => {
      change({ leading: -y });
      moveLine(x, y);
    },
    [OPS.nextLine]: () => moveLine(0, -now.leading),
    [OPS.setLeading]: (leading: number) => change({ leading }),
    [OPS.setFont]: setFont,
    [OPS.setCharSpacing]: (char_spacing: number) => change({ char_spacing }),
    [OPS.setWordSpacing]: (word_spacing: number) => change({ word_spacing }),
    [OPS.setHScale]: (percent: number) => change({ stretch: percent / 100 }),
    [OPS.setTextRenderingMode]: (mode: number) => change({ mode }),
    [OPS.setFillRGBColor]: (colour: string) => change({ fill: colour }),
    [OPS.setFillColorN]: () => change({ fill: "pattern" }),
    [OPS.setGState]: (entries: [string, number][]) => {
      const alpha = entries.findLast(([key]) => key === "ca")?.[1];
      if (alpha !== undefined) change({ alpha });
    },
    [OPS.shadingFill]: () => {
      everything_covered = true;
    },
    [OPS.constructPath]: (paint: number, _path: unknown, box: ArrayLike<number>) => {
      if (paints.includes(paint)) fill(box);
    },
    [OPS.showText]: showText,
  };

  for (const [index, operator] of fnArray.entries()) {
    const args = (argsArray[index] ?? []) as never[];
    if (operator === OPS.transform) change({ ctm: multiply(now.ctm, args) });
    else actions[operator]?.(...(args as unknown as [never, never, never]));
    if (runs.length > MAX_RUNS || glyph_count > MAX_GLYPHS) return [];
  }
  return runs;
}

interface Glyph {
  unicode: string;
  width: number;
  isSpace: boolean;
}

/** The matrix that applies `inner` first. */
function multiply([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix, inner: Matrix): Matrix {
  const [p = 1, q = 0, r = 0, s = 1, t = 0, u = 0] = inner;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

/**
 * Finds which text of a page can't be seen: drawn without ink, fully transparent, or in white on nothing (only
 * judged with `judges_white`: a picture may be behind it). Returns a test for the page's items.
 */
export async function findHiddenText(
  page: PDFPageProxy,
  judges_white: boolean,
): Promise<(item: TextItem) => boolean> {
  const runs = await listRuns(page, judges_white);
  if (!runs.some(({ hidden }) => hidden)) return () => false;
  const lines = Map.groupBy(runs, ({ across }) => Math.round(across));
  return (item) => {
    const { start, end, across, size } = placeOf(item);
    const length = { seen: 0, hidden: 0 };
    const near = Math.ceil(SAME_LINE * size);
    for (let line = Math.round(across) - near; line <= Math.round(across) + near; line++) {
      for (const run of lines.get(line) ?? [])
        length[run.hidden ? "hidden" : "seen"] += Math.max(
          0,
          Math.min(end, run.end) - Math.max(start, run.start),
        );
    }
    return length.hidden > length.seen;
  };
}
