import { getDocumentProxy } from "unpdf";
import type { PDFPageProxy } from "unpdf/pdfjs";
import type { Bounds } from "./bounds.ts";
import { type ClippedText, collectText, type TextCollector } from "./clipped-text.ts";
import { checkPdfStreams } from "./pdf-streams.ts";

/**
 * How near the end a PDF has its end mark (ISO 32000-1, annex H.3, note 18, and some room). A file without it
 * was cut off.
 */
const endMarkWithin = 2_048;

/**
 * The text layer of a PDF, page by page; pictures have none. Fails for files that are encrypted, damaged or
 * cut off.
 */
export async function readPdf(bytes: Uint8Array, bounds: Bounds): Promise<ClippedText> {
  const end = Buffer.from(bytes.subarray(Math.max(0, bytes.length - endMarkWithin)));
  if (!end.includes("%%EOF")) throw new Error("a PDF without its end");
  checkPdfStreams(bytes, bounds);

  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pdf = await getDocumentProxy(data, { verbosity: 0, disableFontFace: true, useSystemFonts: false });
  const out = collectText(bounds.chars);
  for (let number = 1; number <= pdf.numPages && !out.full(); number++)
    await writePage(out, await pdf.getPage(number));
  const { text, truncated } = out.take();
  return { text: truncated ? text : text.trimEnd(), truncated };
}

type TextContent = Awaited<ReturnType<PDFPageProxy["getTextContent"]>>;

/** Writes what a page says, and an empty line if it says anything. Stops reading when the text is full. */
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
    await reader.cancel(new Error("enough was read"));
    break;
  }
  if (written) out.write("\n\n");
  page.cleanup();
}
