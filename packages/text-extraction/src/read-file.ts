import type { TextKind } from "@letterslot/core";
import { type Bounds, tooLarge } from "./bounds.ts";
import type { ClippedText } from "./clipped-text.ts";
import { readDocx } from "./docx-text.ts";
import { readPdf } from "./pdf-text.ts";
import { readHtml, readPlainText } from "./plain-text.ts";
import { watchSheets } from "./sheet-bounds.ts";
import { readXls, readXlsx } from "./sheet-text.ts";
import { sniffContainer } from "./sniff.ts";
import { walkZip } from "./walk-zip.ts";

/**
 * The text of a file. What its bytes are counts before what it says it is. Fails with an error that
 * `refusalOf` reads, or never comes back: the caller ends the thread then.
 */
export async function readFile(
  { bytes, kind }: { bytes: Uint8Array; kind: TextKind },
  bounds: Bounds,
): Promise<ClippedText> {
  if (bytes.length > bounds.input_bytes) throw tooLarge("input");
  const container = sniffContainer(bytes, kind === "pdf");
  if (container === "pdf") return readPdf(bytes, bounds);
  if (container === "zip") return readZipped(bytes, bounds);
  if (container === "ole") return readXls(bytes, bounds);
  if (kind === "text") return readPlainText(bytes, bounds);
  if (kind === "html") return readHtml(bytes, bounds);
  throw new Error(`this is no ${kind}`);
}

async function readZipped(bytes: Uint8Array, bounds: Bounds): Promise<ClippedText> {
  const docx = readDocx(bounds.chars);
  const sheets = watchSheets(bounds);
  const names = await walkZip(bytes, bounds, (name) => docx.visit(name) ?? sheets.visit(name));
  if (names.has("xl/workbook.xml")) return readXlsx(bytes, bounds, sheets.rowsToRead());
  if (names.has("word/document.xml")) return docx.take();
  throw new Error("an archive that is no document");
}
