import type { PDFPageProxy } from "unpdf/pdfjs";

/** Annotations of one page that are read; forms have a few hundred fields. */
const MAX_ANNOTATIONS = 5_000;
/** The flags of annotations that are not shown: hidden, and not on the screen (ISO 32000-1, table 165). */
const NOT_SHOWN = 0b10_0010;
/** What people write onto a page. */
const NOTES = ["FreeText", "Text"];

interface Annotation {
  subtype?: string;
  annotationFlags?: number;
  fieldType?: string;
  fieldValue?: unknown;
  contentsObj?: { str?: string };
}

/** What people filled into the fields of a page or wrote onto it: it isn't part of the page's own text. */
export async function readAnnotations(page: PDFPageProxy): Promise<string[]> {
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
