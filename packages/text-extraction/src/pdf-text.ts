import { getDocumentProxy } from "unpdf";
import type { PDFPageProxy } from "unpdf/pdfjs";
import { type ClippedText, collectText, type TextCollector } from "./clipped-text.ts";
import type { Limits } from "./limits.ts";
import { checkPdfStreams } from "./pdf-streams.ts";

/**
 * How close to the end a PDF must have its end marker (ISO 32000-1, annex H.3, note 18, with some margin).
 * Without it the file was cut off.
 */
const END_MARKER_WITHIN = 2_048;

/** The text layer of a PDF, page by page; images have none. Fails for encrypted, damaged or cut-off files. */
export async function readPdf(bytes: Uint8Array, limits: Limits): Promise<ClippedText> {
  const end = Buffer.from(bytes.subarray(Math.max(0, bytes.length - END_MARKER_WITHIN)));
  if (!end.includes("%%EOF")) throw new Error("a PDF without its end marker");
  checkPdfStreams(bytes, limits);

  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pdf = await getDocumentProxy(data, { verbosity: 0, disableFontFace: true, useSystemFonts: false });
  const out = collectText(limits.chars);
  for (let number = 1; number <= pdf.numPages && !out.full(); number++)
    await writePage(out, await pdf.getPage(number));
  const { text, truncated } = out.take();
  return { text: truncated ? text : text.trimEnd(), truncated };
}

type TextContent = Awaited<ReturnType<PDFPageProxy["getTextContent"]>>;

/** Writes the text of a page and an empty line after it, if there is any text. Stops when `out` is full. */
async function writePage(out: TextCollector, page: PDFPageProxy): Promise<void> {
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  let written = false;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const text = part.value.items
      .map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : ""))
      .join("");
    written ||= text.trim() !== "";
    if (written) out.write(text);
    if (!out.full()) continue;
    await reader.cancel(new Error("enough text"));
    break;
  }
  if (written) out.write("\n\n");
  page.cleanup();
}
