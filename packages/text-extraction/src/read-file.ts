import type { TextKind } from "@letterslot/core";
import type { ClippedText } from "./clipped-text.ts";
import { readDocx } from "./docx-text.ts";
import { type Limits, tooLarge } from "./limits.ts";
import { readPdf } from "./pdf-text.ts";
import { readHtml, readPlainText } from "./plain-text.ts";
import { measureSheets } from "./sheet-size.ts";
import { readXls, readXlsx } from "./sheet-text.ts";
import { walkZip } from "./walk-zip.ts";

/** Bytes that may precede a PDF header; readers have always allowed some. */
const MAX_PDF_HEADER_OFFSET = 1024;
const OLE_MAGIC = Buffer.from("d0cf11e0a1b11ae1", "hex");

/**
 * The text of a file; its bytes decide its type rather than `kind`. Fails with an error for `refusalOf`. May
 * never return on a hostile file: the caller must then terminate the thread.
 */
export async function readFile(
  { bytes, kind }: { bytes: Uint8Array; kind: TextKind },
  limits: Limits,
): Promise<ClippedText> {
  if (bytes.length > limits.input_bytes) throw tooLarge("input");
  const container = sniffContainer(bytes, kind === "pdf");
  if (container === "pdf") return readPdf(bytes, limits);
  if (container === "zip") return readZipped(bytes, limits);
  if (container === "ole") return readXls(bytes, limits);
  if (kind === "text") return readPlainText(bytes, limits);
  if (kind === "html") return readHtml(bytes, limits);
  throw new Error(`not a ${kind} file`);
}

async function readZipped(bytes: Uint8Array, limits: Limits): Promise<ClippedText> {
  const docx = readDocx(limits.chars);
  const sheets = measureSheets(limits);
  const names = await walkZip(bytes, limits, (name) => docx.visit(name) ?? sheets.visit(name));
  if (names.has("xl/workbook.xml")) return readXlsx(bytes, limits, sheets.rowsToRead());
  if (names.has("word/document.xml")) return docx.take();
  throw new Error("not a document");
}

/**
 * Detects a PDF, ZIP (DOCX, XLSX) or OLE container (XLS, encrypted Office files) by its first bytes alone.
 */
function sniffContainer(bytes: Uint8Array, expects_pdf: boolean): "pdf" | "zip" | "ole" | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MAX_PDF_HEADER_OFFSET));
  if (head.subarray(0, 4).equals(Buffer.from("PK\u0003\u0004"))) return "zip";
  if (head.subarray(0, 8).equals(OLE_MAGIC)) return "ole";
  const at = head.indexOf("%PDF-");
  return at === 0 || (expects_pdf && at > 0) ? "pdf" : null;
}
