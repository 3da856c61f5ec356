import { type CellObject, read, set_cptable, type WorkBook } from "@e965/xlsx";
import { type ClippedText, collectText, type TextCollector } from "../clipped-text.ts";
import type { Limits } from "../limits.ts";
import { CODE_PAGES } from "./code-pages.ts";
import type { SheetSizes } from "./sheet-size.ts";

/**
 * Rows of an XLS to read, in steps; 0 is all. A cell takes a hundred times its text, and the first rows often
 * suffice.
 */
const XLS_ROW_STEPS = [400, 2_000, 0];

set_cptable(CODE_PAGES);

/**
 * The sheets of an XLS, an older workbook (Excel 2 to 95) or one in XML or HTML. Fails for password-protected
 * files.
 */
export function readXls(bytes: Uint8Array, limits: Limits): ClippedText {
  for (const sheetRows of XLS_ROW_STEPS) {
    const book = readBook(bytes, sheetRows);
    const text = writeBook(book, limits);
    if (text.truncated || !isCutShort(book)) return text;
  }
  throw new Error("no step read all rows");
}

/** The sheets of an XLSX. If the measured rows do not fill the text, all rows within the limits are read. */
export function readXlsx(bytes: Uint8Array, limits: Limits, sizes: SheetSizes): ClippedText {
  const first = readBook(bytes, sizes.rowsToRead());
  const text = writeBook(first, limits);
  if (sizes.cut()) return { ...text, truncated: true };
  if (!isCutShort(first) || text.truncated) return text;
  const book = readBook(bytes, limits.rows);
  const all = writeBook(book, limits);
  return { ...all, truncated: all.truncated || (!sizes.measured() && isCutShort(book)) };
}

/** Whether a sheet says that it has more rows than were read. */
function isCutShort(book: WorkBook): boolean {
  return book.SheetNames.some((name) => book.Sheets[name]?.["!fullref"] !== undefined);
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

/**
 * Writes CSV (RFC 4180) without empty rows, and an empty line between sheets. A sheet that Excel would not show
 * is marked: a person who looks at the file does not see it.
 */
function writeBook(book: WorkBook, limits: Limits): ClippedText {
  const out = collectText(limits.chars);
  let cut = false;
  for (const [index, { name, rows, hidden }] of sheetsOf(book).entries()) {
    if (index > 0) out.write("\n");
    if (hidden) out.write("[hidden sheet]\n");
    if (limits.sheet_names) out.write(`${name}\n`);
    if (!writeRows(out, rows, limits)) cut = true;
    if (out.full()) break;
  }
  const { text, truncated } = out.take();
  return { text, truncated: truncated || cut };
}

type Rows = (CellObject[] | undefined)[];

/** The sheets that are not empty. */
function sheetsOf(book: WorkBook): { name: string; rows: Rows; hidden: boolean }[] {
  return book.SheetNames.flatMap((name, index) => {
    const rows = book.Sheets[name]?.["!data"] as Rows | undefined;
    const hidden = (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) > 0;
    return rows?.some((cells) => cells?.some((cell) => valueOf(cell) !== "")) ? [{ name, rows, hidden }] : [];
  });
}

/** Writes the rows and columns within the limits. Returns whether no value was left out for them. */
function writeRows(out: TextCollector, rows: Rows, limits: Limits): boolean {
  let whole = true;
  // Sparse arrays: forEach visits only existing elements, so that empty rows cost nothing.
  rows.forEach((cells, row) => {
    if (out.full() || cells === undefined) return;
    const values = Array.from(cells, valueOf);
    const kept = row < limits.rows ? values.slice(0, limits.columns) : [];
    if (values.slice(kept.length).some((value) => value !== "")) whole = false;
    const line = kept.map(quoted).join(",").replace(/,+$/, "");
    if (line !== "") out.write(`${line}\n`);
  });
  return whole;
}

/** A cell's formatted text, or else its value. */
function valueOf(cell: CellObject | undefined): string {
  if (cell === undefined) return "";
  return cell.w ?? (cell.v === undefined || cell.v === null ? "" : String(cell.v));
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
