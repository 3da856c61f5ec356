import type { TextKind } from "@letterslot/core/ports";
import type { ClippedText } from "./clipped-text.ts";
import { type Limits, tooLarge } from "./limits.ts";
import { readMailText } from "./mail-text.ts";
import { readDocx } from "./office/docx-text.ts";
import { readPackageParts } from "./office/package-parts.ts";
import { measureSheets } from "./office/sheet-size.ts";
import { readXls, readXlsx } from "./office/sheet-text.ts";
import { walkZip } from "./office/walk-zip.ts";
import { readPdf } from "./pdf/pdf-text.ts";
import { readHtml, readPlainText } from "./plain-text.ts";

/** Bytes that may precede a PDF header; readers have always allowed some. */
const MAX_PDF_HEADER_OFFSET = 1024;
const OLE_MAGIC = Buffer.from("d0cf11e0a1b11ae1", "hex");
/** The second byte of a workbook's first record (MS-XLS, section 2.4.21, and its forerunners). */
const BIFF_VERSIONS = [0x00, 0x02, 0x04, 0x08];

/**
 * The text of a file; its bytes decide its type rather than `kind`. Fails with an error for `refusalOf`. May
 * never return on a hostile file: the caller must then terminate the thread.
 */
export async function readFile(
  { bytes, kind, charset }: { bytes: Uint8Array; kind: TextKind; charset?: string | undefined },
  limits: Limits,
): Promise<ClippedText> {
  if (bytes.length > limits.input_bytes) throw tooLarge("input");
  if (kind === "mail") return readMailText(bytes, limits);
  const container = sniffContainer(bytes, kind);
  if (container === "pdf") return readPdf(bytes, limits);
  if (container === "zip") return readZipped(bytes, limits);
  if (container === "workbook") return readXls(bytes, limits);
  if (kind === "text") return readPlainText(bytes, charset, limits);
  if (kind === "html") return readHtml(bytes, charset, limits);
  throw new Error(`not a ${kind} file`);
}

async function readZipped(bytes: Uint8Array, limits: Limits): Promise<ClippedText> {
  const parts = readPackageParts();
  const docx = readDocx(limits.chars, parts);
  const sheets = measureSheets(limits, parts);
  await walkZip(bytes, limits, (name) => parts.visit(name) ?? docx.visit(name) ?? sheets.visit(name));
  const text = docx.take();
  if (text !== undefined) return text;
  if (parts.main() === undefined) throw new Error("not a document");
  return readXlsx(bytes, limits, sheets);
}

/**
 * Detects a PDF, a ZIP archive (DOCX, XLSX) or another workbook by its first bytes: an OLE container (XLS,
 * encrypted Office files), or, if a workbook is declared, a bare BIFF stream (Excel 2 to 4) or markup, which
 * many programs export under the name of an XLS.
 */
function sniffContainer(bytes: Uint8Array, kind: TextKind): "pdf" | "zip" | "workbook" | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MAX_PDF_HEADER_OFFSET));
  if (head.subarray(0, 4).equals(Buffer.from("PK\u0003\u0004"))) return "zip";
  if (head.subarray(0, 8).equals(OLE_MAGIC)) return "workbook";
  if (kind === "xls" || kind === "xlsx") {
    if (head[0] === 0x09 && BIFF_VERSIONS.includes(head[1] ?? 0)) return "workbook";
    if (/^(?:\u00ef\u00bb\u00bf)?\s*<(?:\?xml|!doctype|html|table)\b/i.test(head.toString("latin1")))
      return "workbook";
  }
  const at = head.indexOf("%PDF-");
  return at === 0 || (kind === "pdf" && at > 0) ? "pdf" : null;
}
