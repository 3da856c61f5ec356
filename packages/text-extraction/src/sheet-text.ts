import { type CellObject, read, utils, type WorkBook } from "@e965/xlsx";
import { type Bounds, tooLarge } from "./bounds.ts";
import { type ClippedText, collectText, type TextCollector } from "./clipped-text.ts";

/**
 * Rows of an XLS that are read at first, then: a cell takes a hundred times its text, and the first rows
 * often fill it.
 */
const xlsSteps = [400, 2_000, 0];

/** The sheets of an XLS, or of the older Office file that it is in. Fails for files with a password. */
export function readXls(bytes: Uint8Array, bounds: Bounds): ClippedText {
  for (const sheetRows of xlsSteps) {
    const book = readBook(bytes, sheetRows);
    const wholeRanges = book.SheetNames.flatMap((name) => book.Sheets[name]?.["!fullref"] ?? []) as string[];
    const text = writeBook(book, bounds);
    if (wholeRanges.length === 0) return text;
    if (!text.truncated) continue;
    if (wholeRanges.some((range) => utils.decode_range(range).e.r >= bounds.rows)) throw tooLarge("rows");
    return text;
  }
  throw new Error("no step reads all rows");
}

/**
 * The sheets of an XLSX. `sheetRows` should be enough to fill the text; if they are not, all rows are read.
 */
export function readXlsx(bytes: Uint8Array, bounds: Bounds, sheetRows: number): ClippedText {
  const book = readBook(bytes, sheetRows);
  const text = writeBook(book, bounds);
  const stopped = book.SheetNames.some((name) => book.Sheets[name]?.["!fullref"] !== undefined);
  return stopped && !text.truncated ? writeBook(readBook(bytes, 0), bounds) : text;
}

/** `sheetRows` stops each sheet early; 0 reads all. */
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

/**
 * Comma-separated values (RFC 4180), each sheet under its name where there are several; empty rows are left
 * out.
 */
function writeBook(book: WorkBook, bounds: Bounds): ClippedText {
  const sheets = sheetsOf(book);
  for (const { rows } of sheets) checkSize(rows, bounds);
  const out = collectText(bounds.chars);
  for (const { name, rows } of sheets) {
    if (sheets.length > 1) out.write(`${name}\n`);
    writeRows(out, rows);
    if (sheets.length > 1) out.write("\n");
    if (out.full()) break;
  }
  return out.take();
}

type Rows = (CellObject[] | undefined)[];

/** The sheets that hold anything. */
function sheetsOf(book: WorkBook): { name: string; rows: Rows }[] {
  return book.SheetNames.flatMap((name) => {
    const rows = book.Sheets[name]?.["!data"] as Rows | undefined;
    return rows === undefined || rows.length === 0 ? [] : [{ name, rows }];
  });
}

/** By the cells that are there: a sheet's own word on its size may be anything. */
function checkSize(rows: Rows, bounds: Bounds): void {
  // Sparse arrays: forEach visits what is there, however far out.
  rows.forEach((cells, row) => {
    cells?.forEach((cell, column) => {
      if (valueOf(cell) !== "" && (row >= bounds.rows || column >= bounds.columns))
        throw tooLarge("rows and columns");
    });
  });
}

function writeRows(out: TextCollector, rows: Rows): void {
  // Sparse again: a row far out costs nothing.
  rows.forEach((cells) => {
    if (out.full()) return;
    const line = Array.from(cells ?? [], (cell) => quoted(valueOf(cell)))
      .join(",")
      .replace(/,+$/, "");
    if (line !== "") out.write(`${line}\n`);
  });
}

/** What a cell shows: its formatted text, else its value. */
function valueOf(cell: CellObject | undefined): string {
  if (cell === undefined) return "";
  return cell.w ?? (cell.v === undefined || cell.v === null ? "" : String(cell.v));
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
