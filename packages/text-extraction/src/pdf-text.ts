import { getDocumentProxy } from "unpdf";
import type { PDFPageProxy } from "unpdf/pdfjs";
import { type ClippedText, collectText, type TextCollector } from "./clipped-text.ts";
import type { Limits } from "./limits.ts";
import { readAnnotations } from "./pdf-annotations.ts";
import { CharacterMaps, withoutPrivate } from "./pdf-cmaps.ts";
import { lineText, type TextItem } from "./pdf-lines.ts";
import { checkPdfStreams } from "./pdf-streams.ts";

/**
 * How close to the end a PDF must have its end marker (ISO 32000-1, annex H.3, note 18, with some margin).
 * Without it the file was cut off.
 */
const END_MARKER_WITHIN = 2_048;
/** Items of one line; what follows counts as another line. */
const MAX_LINE_ITEMS = 10_000;
/** Text below this size, in points, can't be seen. */
const MIN_VISIBLE_SIZE = 1;

/** The text layer of a PDF, page by page; images have none. Fails for encrypted, damaged or cut-off files. */
export async function readPdf(bytes: Uint8Array, limits: Limits): Promise<ClippedText> {
  const end = Buffer.from(bytes.subarray(Math.max(0, bytes.length - END_MARKER_WITHIN)));
  if (!end.includes("%%EOF")) throw new Error("a PDF without its end marker");
  checkPdfStreams(bytes, limits);

  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pdf = await getDocumentProxy(data, {
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    cMapPacked: false,
    BinaryDataFactory: CharacterMaps,
  });
  const out = collectText(limits.chars);
  for (let number = 1; number <= pdf.numPages && !out.full(); number++)
    await writePage(out, await pdf.getPage(number));
  const { text, truncated } = out.take();
  return { text: truncated ? text : text.trimEnd(), truncated };
}

type TextContent = Awaited<ReturnType<PDFPageProxy["getTextContent"]>>;

/**
 * Writes the text of a page, then what was filled in or noted on it, and an empty line if there was any text.
 * Stops when `out` is full.
 */
async function writePage(out: TextCollector, page: PDFPageProxy): Promise<void> {
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  let written = false;
  let line: TextItem[] = [];
  const writeLine = (end: string) => {
    const text = withoutPrivate(lineText(line));
    line = [];
    written ||= text.trim() !== "";
    if (written) out.write(`${text}${end}`);
  };
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const item of part.value.items) {
      if (!("str" in item) || isInvisible(item)) continue;
      line.push(item);
      if (item.hasEOL || line.length >= MAX_LINE_ITEMS) writeLine(item.hasEOL ? "\n" : "");
    }
    if (!out.full()) continue;
    await reader.cancel(new Error("enough text"));
    break;
  }
  writeLine("");
  for (const text of out.full() ? [] : await readAnnotations(page)) {
    out.write(written ? `\n${text}` : text);
    written = true;
  }
  if (written) out.write("\n\n");
  page.cleanup();
}

/** Whether text is too small to be seen: its letters are neither high nor wide. */
function isInvisible({ str, transform: [, , c = 0, d = 0], width }: TextItem): boolean {
  return str.trim() !== "" && Math.hypot(c, d) < MIN_VISIBLE_SIZE && width < MIN_VISIBLE_SIZE * str.length;
}
