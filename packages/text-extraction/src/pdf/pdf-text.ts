import { getDocumentProxy } from "unpdf";
import type { PDFPageProxy } from "unpdf/pdfjs";
import { type ClippedText, collectText, type TextCollector } from "../clipped-text.ts";
import type { Limits } from "../limits.ts";
import { isSetApart, readSetApart } from "./pdf-apart.ts";
import { CharacterMaps, withoutPrivate } from "./pdf-cmaps.ts";
import { isElsewhere, lineText, type TextItem } from "./pdf-lines.ts";
import { findHiddenText } from "./pdf-runs.ts";
import { checkPdfStreams, type PdfStreams } from "./pdf-streams.ts";

/**
 * The maximum distance of the end marker from the end of a PDF (ISO 32000-1, annex H.3, note 18, with some margin).
 * Without it the file was cut off.
 */
const END_MARKER_WITHIN = 2_048;
/** Items of one line; what follows counts as another line. */
const MAX_LINE_ITEMS = 10_000;
/** Above text that a person who looks at the page doesn't see. */
const HIDDEN_MARK = "[hidden text]";
/** Text below this size, in points, can't be seen. */
const MIN_VISIBLE_SIZE = 1;

/** The text layer of a PDF, page by page; images have none. Fails for encrypted, damaged or cut-off files. */
export async function readPdf(bytes: Uint8Array, limits: Limits): Promise<ClippedText> {
  const end = Buffer.from(bytes.subarray(Math.max(0, bytes.length - END_MARKER_WITHIN)));
  if (!end.includes("%%EOF")) throw new Error("a PDF without its end marker");
  const streams = checkPdfStreams(bytes, limits);

  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pdf = await getDocumentProxy(data, {
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    cMapPacked: false,
    // Pictures are not text.
    maxImageSize: 0,
    BinaryDataFactory: CharacterMaps,
  });
  const out = collectText(limits.chars);
  for (let number = 1; number <= pdf.numPages && !out.full(); number++)
    await writePage(out, await pdf.getPage(number), streams, limits);
  const { text, truncated } = out.take();
  return { text: truncated ? text : text.trimEnd(), truncated };
}

type TextContent = Awaited<ReturnType<PDFPageProxy["getTextContent"]>>;

/**
 * Writes the text of a page, then its filled-in fields and notes, its hidden text, and an empty line if there was any
 * text. Stops when `out` is full.
 */
async function writePage(
  out: TextCollector,
  page: PDFPageProxy,
  streams: PdfStreams,
  { chars }: Limits,
): Promise<void> {
  const isHidden = streams.may_hide_text ? await findHiddenText(page, !streams.has_images) : () => false;
  // One more than the limit, so that `out` notices a cut.
  const seen = collectLines(collectText(chars + 1));
  // A text beneath a scan is all that there is to read.
  const hidden = collectLines(collectText(chars));
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const item of part.value.items) {
      if (!("str" in item) || isInvisible(item)) continue;
      if (isHidden(item)) hidden.add(item);
      else seen.add(item);
    }
    if (!seen.out.full()) continue;
    await reader.cancel(new Error("enough text"));
    break;
  }
  seen.end();
  hidden.end();
  const { text } = seen.out.take();
  out.write((isSetApart(text) && (await readSetApart(page))) || text);
  const notes = out.full() ? [] : await readAnnotations(page);
  const mark = seen.written() || notes.length > 0 ? `${HIDDEN_MARK}\n` : "";
  const more = hidden.written() ? [...notes, `${mark}${hidden.out.take().text}`] : notes;
  if (more.length > 0) out.write(`${seen.written() ? "\n" : ""}${more.join("\n")}`);
  if (seen.written() || more.length > 0) out.write("\n\n");
  page.cleanup();
}

/** Writes items line by line; white space before the first text and at the end of lines is dropped. */
function collectLines(out: TextCollector) {
  let line: TextItem[] = [];
  let written = false;
  let ends = "";
  const end = () => {
    const text = withoutPrivate(lineText(line)).trimEnd();
    line = [];
    if (text === "") return;
    out.write(written ? `${ends}${text}` : text);
    written = true;
    ends = "";
  };
  const endLine = () => {
    end();
    ends += "\n";
  };
  return {
    out,
    add(item: TextItem): void {
      const before = line.at(-1);
      if (before !== undefined && item.str.trim() !== "" && isElsewhere(item, before)) endLine();
      line.push(item);
      if (item.hasEOL || line.length >= MAX_LINE_ITEMS) endLine();
    },
    end,
    written: () => written,
  };
}

/** Whether text is too small to be seen: its letters are neither high nor wide. */
function isInvisible({ str, transform: [, , c = 0, d = 0], width }: TextItem): boolean {
  return str.trim() !== "" && Math.hypot(c, d) < MIN_VISIBLE_SIZE && width < MIN_VISIBLE_SIZE * str.length;
}

/** Annotations of one page that are read; forms have a few hundred fields. */
const MAX_ANNOTATIONS = 5_000;
/** The flags of annotations that are not shown: hidden, and not on the screen (ISO 32000-1, table 165). */
const NOT_SHOWN = 0b10_0010;
/** The types of annotations that people write onto a page. */
const NOTES = ["FreeText", "Text"];

interface Annotation {
  subtype?: string;
  annotationFlags?: number;
  fieldType?: string;
  fieldValue?: unknown;
  contentsObj?: { str?: string };
}

/** Reads what people filled into the fields of a page or wrote onto it, which isn't part of the page's own text. */
async function readAnnotations(page: PDFPageProxy): Promise<string[]> {
  const annotations = ((await page.getAnnotations()) as Annotation[]).slice(0, MAX_ANNOTATIONS);
  return annotations
    .filter(({ annotationFlags = 0 }) => (annotationFlags & NOT_SHOWN) === 0)
    .map(textOf)
    .map((text) => text.replace(/\r\n?/g, "\n").trim())
    .filter((text) => text !== "");
}

function textOf({ subtype = "", fieldType, fieldValue, contentsObj }: Annotation): string {
  if (NOTES.includes(subtype)) return contentsObj?.str ?? "";
  // The value of a button names its state, which says nothing without the label beside it.
  if (subtype !== "Widget" || (fieldType !== "Tx" && fieldType !== "Ch")) return "";
  const values: unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values.filter((value) => typeof value === "string").join("\n");
}
