import type { Limits } from "../limits.ts";
import type { PackageParts } from "./package-parts.ts";

/**
 * A tag that affects the size of a sheet (ECMA-376, part 1, section 18.3.1): a row, a cell or a cell's value.
 */
const SHEET_TAG = /<(?:[\w.-]+:)?(row|c|v|is)(?=[\s>/])([^<>]*)>/g;
const REFERENCE = /(?:^|\s)r\s*=\s*["']([A-Za-z]{0,4})(\d{1,9})?["']/;
const MAX_TAG_CHARS = 4_096;
/** Values of a sheet to load, including those in columns that are cut; each takes about 200 bytes. */
const MAX_LOADED_CELLS = 120_000;

/** Measures the sheets of an XLSX while its archive is inflated. */
export interface SheetSizes {
  /** Returns a consumer for the bytes of a part, if it is a sheet. */
  visit(name: string): ((chunk: Uint8Array) => void) | undefined;
  /** The rows per sheet that suffice to fill the text; reading more would waste memory. */
  rowsToRead(): number;
  /** Whether a sheet has values outside the limits. */
  cut(): boolean;
  /** Whether the sheets could be measured: those of an XLSB can't. */
  measured(): boolean;
}

interface Size {
  rows: number;
  /** Values within the limits, and all. */
  cells: number;
  loaded: number;
  cut: boolean;
}

/** Measures the sheets of one workbook. */
export function measureSheets(limits: Limits, parts: PackageParts): SheetSizes {
  const sheets: Size[] = [];
  return {
    visit(name) {
      if (parts.role(name) !== "worksheet" || !/\.xml$/i.test(name)) return undefined;
      const size = { rows: 0, cells: 0, loaded: 0, cut: false };
      sheets.push(size);
      return measureSheet(limits, size);
    },
    rowsToRead: () => Math.max(1, ...sheets.map(({ rows }) => rows)),
    measured: () => sheets.length > 0,
    cut: () => sheets.some(({ cut }) => cut),
  };
}

function measureSheet({ rows, columns, chars }: Limits, size: Size): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder("latin1");
  let rest = "";
  let row = 0;
  let column = 0;

  const onTag = (tag: string, attributes: string) => {
    const [, letters = "", digits] = tag === "row" || tag === "c" ? (REFERENCE.exec(attributes) ?? []) : [];
    if (tag === "row") {
      row = digits === undefined ? row + 1 : Number(digits);
      column = 0;
      return;
    }
    if (tag === "c") {
      column = letters === "" ? column + 1 : columnNumber(letters);
      return;
    }
    size.loaded += 1;
    if (row > rows || column > columns || size.loaded > MAX_LOADED_CELLS) {
      size.cut = true;
      return;
    }
    // A value takes at least a character and a comma: beyond this the text is full before the row ends.
    if (size.cells * 2 <= chars) size.rows = Math.max(size.rows, row);
    size.cells += 1;
  };

  return (chunk) => {
    const text = rest + decoder.decode(chunk, { stream: true });
    for (const [, tag = "", attributes = ""] of text.matchAll(SHEET_TAG)) onTag(tag, attributes);
    const open = text.lastIndexOf("<");
    const unfinished = open > text.lastIndexOf(">") && text.length - open < MAX_TAG_CHARS;
    rest = unfinished ? text.slice(open) : "";
  };
}

/** A is 1, Z is 26, AA is 27. */
function columnNumber(letters: string): number {
  return [...letters.toUpperCase()].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}
