/** A piece of text on a page, as the PDF reader returns it. */
export interface TextItem {
  str: string;
  dir: string;
  /** Its position, size and direction (ISO 32000-1, section 9.4.4). */
  transform: readonly number[];
  width: number;
  height: number;
  fontName: string;
  hasEOL: boolean;
}

/** An item by its place on the line: along it and across it, for any direction of the line on the page. */
interface Piece {
  text: string;
  start: number;
  end: number;
  size: number;
  rtl: boolean;
}

/** Widths in shares of the size of the letters. */
const SPACE = 0.15;
const COLUMN_GAP = 2;
/** Letters of a word that are set apart, at least: fewer may be a list of letters. */
const LETTERS_APART = /^\p{L}(?: \p{L}){4,}$/u;

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/gu;
const LETTERS = /\p{L}/gu;

/**
 * The text of one line, from its items in the order in which the page draws them: from left to right, or in the
 * order of reading where it is written from right to left, with a tab between columns.
 */
export function lineText(items: readonly TextItem[]): string {
  const pieces = items.map(toPiece);
  const isOrdered = pieces.every(({ start, rtl }, index) => {
    const before = pieces[index - 1];
    return !rtl && (before === undefined || start >= before.start - before.size * SPACE);
  });
  return isOrdered ? joinOrdered(pieces) : joinPlaced(pieces.filter(({ text }) => text.trim() !== ""));
}

/** Joins pieces that are drawn in the order of reading: the reader has found the spaces between them. */
function joinOrdered(pieces: readonly Piece[]): string {
  let text = "";
  let end: number | undefined;
  for (const piece of pieces) {
    if (piece.text.trim() === "") {
      text += piece.text;
      continue;
    }
    const isColumn = end !== undefined && piece.start - end > COLUMN_GAP * piece.size;
    text = isColumn ? `${text.trimEnd()}\t${piece.text}` : text + piece.text;
    end = piece.end;
  }
  return text;
}

/** Joins pieces by their places; spaces are where there is room for one. */
function joinPlaced(pieces: readonly Piece[]): string {
  const placed = inReadingOrder(pieces.toSorted((one, other) => one.start - other.start));
  return placed
    .map((piece, index) => {
      const before = placed[index - 1];
      return before === undefined ? piece.text : `${separatorOf(before, piece)}${piece.text}`;
    })
    .join("");
}

function separatorOf(before: Piece, piece: Piece): string {
  // At a change of direction, neighbours in the reading order aren't neighbours on the line.
  if (before.rtl !== piece.rtl) return " ";
  const gap = Math.max(piece.start - before.end, before.start - piece.end);
  if (gap > COLUMN_GAP * piece.size) return "\t";
  return gap > SPACE * piece.size && !/\s$/.test(before.text) && !/^\s/.test(piece.text) ? " " : "";
}

/**
 * Puts pieces from left to right into reading order: a line of Hebrew or Arabic is reversed, and so are runs of the
 * other direction in any line (UAX #9, rule L2, for pieces that are in logical order themselves).
 */
function inReadingOrder(pieces: readonly Piece[]): Piece[] {
  const count = (pattern: RegExp) =>
    pieces.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0);
  const isRtlLine = 2 * count(RIGHT_TO_LEFT) > count(LETTERS);
  const runs: Piece[][] = [];
  for (const piece of pieces) {
    const run = runs.at(-1);
    if (run?.[0]?.rtl === piece.rtl) run.push(piece);
    else runs.push([piece]);
  }
  const ordered = runs.map((run) => (run[0]?.rtl ? run.toReversed() : run));
  return (isRtlLine ? ordered.toReversed() : ordered).flat();
}

/** Whether an item begins a line of its own below or above the one before, though the reader saw no end. */
export function isElsewhere(item: TextItem, before: TextItem): boolean {
  // Vertical text runs across its line.
  if (item.dir === "ttb" || before.dir === "ttb") return false;
  const [here, there] = [placeOf(item), placeOf(before)];
  return Math.abs(here.across - there.across) > Math.max(here.size, there.size);
}

function toPiece(item: TextItem): Piece {
  const { str, dir } = item;
  return {
    ...placeOf(item),
    text: isWordApart(str.trim()) ? str.replaceAll(" ", "") : str,
    rtl: dir === "rtl",
  };
}

/** Whether a text is one word with spaced-out letters; letters in alphabetical order are a list. */
function isWordApart(text: string): boolean {
  if (!LETTERS_APART.test(text)) return false;
  const letters = text.split(" ");
  return !letters.every((letter, index) => index === 0 || letter > (letters[index - 1] ?? ""));
}

/** Returns an item's position along its line, and the line's position across that, in points. */
export function placeOf({
  transform: [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0],
  width,
  height,
}: Pick<TextItem, "transform" | "width" | "height">): {
  start: number;
  end: number;
  across: number;
  size: number;
} {
  const scale = Math.hypot(a, b) || 1;
  const start = (x * a + y * b) / scale;
  const across = (y * a - x * b) / scale;
  return { start, end: start + width, across, size: height || Math.hypot(c, d) || 1 };
}
