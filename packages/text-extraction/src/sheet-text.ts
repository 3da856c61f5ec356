import { type CellObject, read, utils, type WorkBook } from "@e965/xlsx";
import { type ClippedText, collectText, type TextCollector } from "./clipped-text.ts";
import { type Limits, tooLarge } from "./limits.ts";

/**
 * Rows of an XLS to read, in steps; 0 is all. A cell takes a hundred times its text, and the first rows often
 * suffice.
 */
const XLS_ROW_STEPS = [400, 2_000, 0];

/** The sheets of an XLS or an older Office file. Fails for password-protected files. */
export function readXls(bytes: Uint8Array, limits: Limits): ClippedText {
  for (const sheetRows of XLS_ROW_STEPS) {
    const book = readBook(bytes, sheetRows);
    const wholeRanges = book.SheetNames.flatMap((name) => book.Sheets[name]?.["!fullref"] ?? []) as string[];
    const text = writeBook(book, limits);
    if (wholeRanges.length === 0) return text;
    if (!text.truncated) continue;
    if (wholeRanges.some((range) => utils.decode_range(range).e.r >= limits.rows)) throw tooLarge("rows");
    return text;
  }
  throw new Error("no step read all rows");
}

/** The sheets of an XLSX. If `sheetRows` rows do not fill the text, all rows are read. */
export function readXlsx(bytes: Uint8Array, limits: Limits, sheetRows: number): ClippedText {
  const book = readBook(bytes, sheetRows);
  const text = writeBook(book, limits);
  const stopped = book.SheetNames.some((name) => book.Sheets[name]?.["!fullref"] !== undefined);
  return stopped && !text.truncated ? writeBook(readBook(bytes, 0), limits) : text;
}

/** Reads at most `sheetRows` rows per sheet; 0 means all. */
function readBook(bytes: Uint8Array, sheetRows: number): WorkBook {
  return read(bytes, {
    type: "array",
    dense: true,
    cellFormula: false,
    cellHTML: false,
    bookVBA: false,
    sheetRows,
  });
}

/** Writes CSV (RFC 4180) without empty rows; with several sheets, each under its name. */
function writeBook(book: WorkBook, limits: Limits): ClippedText {
  const sheets = sheetsOf(book);
  for (const { rows } of sheets) checkSize(rows, limits);
  const out = collectText(limits.chars);
  for (const { name, rows } of sheets) {
    if (sheets.length > 1) out.write(`${name}\n`);
    writeRows(out, rows);
    if (sheets.length > 1) out.write("\n");
    if (out.full()) break;
  }
  return out.take();
}

type Rows = (CellObject[] | undefined)[];

/** The sheets that are not empty. */
function sheetsOf(book: WorkBook): { name: string; rows: Rows }[] {
  return book.SheetNames.flatMap((name) => {
    const rows = book.Sheets[name]?.["!data"] as Rows | undefined;
    return rows === undefined || rows.length === 0 ? [] : [{ name, rows }];
  });
}

/** Checks the actual cells: the size that a sheet declares may be wrong. */
function checkSize(rows: Rows, limits: Limits): void {
  // Sparse arrays: forEach visits only existing elements.
  rows.forEach((cells, row) => {
    cells?.forEach((cell, column) => {
      if (valueOf(cell) !== "" && (row >= limits.rows || column >= limits.columns))
        throw tooLarge("rows and columns");
    });
  });
}

function writeRows(out: TextCollector, rows: Rows): void {
  // Sparse: empty rows cost nothing.
  rows.forEach((cells) => {
    if (out.full()) return;
    const line = Array.from(cells ?? [], (cell) => quoted(valueOf(cell)))
      .join(",")
      .replace(/,+$/, "");
    if (line !== "") out.write(`${line}\n`);
  });
}

/** A cell's formatted text, or else its value. */
function valueOf(cell: CellObject | undefined): string {
  if (cell === undefined) return "";
  return cell.w ?? (cell.v === undefined || cell.v === null ? "" : String(cell.v));
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
