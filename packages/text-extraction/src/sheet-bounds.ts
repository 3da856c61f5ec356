import { type Bounds, tooLarge } from "./bounds.ts";

/**
 * A tag that matters to the size of a sheet (ECMA-376, part 1, section 18.3.1): a row, a cell, or what says
 * that a cell has a value.
 */
const sheetTag = /<(?:[\w.-]+:)?(row|c|v|is)(?=[\s>/])([^<>]*)>/g;
const reference = /(?:^|\s)r\s*=\s*["']([A-Za-z]{0,4})(\d{1,9})?["']/;
const longestTag = 4_096;

/** Looks at the sheets of an XLSX while its archive is walked. */
export interface SheetWatch {
  /**
   * Takes the bytes of a part, when it is a sheet. Fails as soon as a value is beyond the rows or columns
   * that are read.
   */
  visit(name: string): ((chunk: Uint8Array) => void) | undefined;
  /** The rows of each sheet that are needed to fill the text: reading more would only cost memory. */
  rowsToRead(): number;
}

/** Watches the sheets of one workbook. */
export function watchSheets(bounds: Bounds): SheetWatch {
  const sheets: { rows: number; cells: number }[] = [];
  return {
    visit(name) {
      if (!/^xl\/worksheets\/[^/]+\.xml$/i.test(name)) return undefined;
      const seen = { rows: 0, cells: 0 };
      sheets.push(seen);
      return watchSheet(bounds, seen);
    },
    rowsToRead: () => Math.max(1, ...sheets.map(({ rows }) => rows)),
  };
}

function watchSheet(
  { rows, columns, chars }: Bounds,
  seen: { rows: number; cells: number },
): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder("latin1");
  let rest = "";
  let row = 0;
  let column = 0;

  const meet = (tag: string, attributes: string) => {
    const [, letters = "", digits] = tag === "row" || tag === "c" ? (reference.exec(attributes) ?? []) : [];
    if (tag === "row") {
      row = digits === undefined ? row + 1 : Number(digits);
      column = 0;
      return;
    }
    if (tag === "c") {
      column = letters === "" ? column + 1 : columnNumber(letters);
      return;
    }
    if (row > rows || column > columns) throw tooLarge("rows and columns");
    // A value takes a character and a comma at least, so the text is full before this row is over.
    if (seen.cells * 2 <= chars) seen.rows = Math.max(seen.rows, row);
    seen.cells += 1;
  };

  return (chunk) => {
    const text = rest + decoder.decode(chunk, { stream: true });
    for (const [, tag = "", attributes = ""] of text.matchAll(sheetTag)) meet(tag, attributes);
    const open = text.lastIndexOf("<");
    const unfinished = open > text.lastIndexOf(">") && text.length - open < longestTag;
    rest = unfinished ? text.slice(open) : "";
  };
}

/** A is 1, Z is 26, AA is 27. */
function columnNumber(letters: string): number {
  return [...letters.toUpperCase()].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}
