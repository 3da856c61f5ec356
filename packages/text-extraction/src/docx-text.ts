import { Parser } from "htmlparser2";
import { type ClippedText, collectText, type TextCollector } from "./clipped-text.ts";
import { tooLarge } from "./limits.ts";

/** The parts of a DOCX that contain text, in output order. */
const TEXT_PARTS = ["word/document.xml", "word/footnotes.xml", "word/endnotes.xml", "word/comments.xml"];

/** Plain text for elements (ECMA-376, part 1, section 17.3.3). */
const ELEMENT_TEXTS: Record<string, string> = {
  tab: "\t",
  ptab: "\t",
  br: "\n",
  cr: "\n",
  noBreakHyphen: "\u2011",
};

/** Repeats content for readers that do not support its newer form. */
const FALLBACK_ELEMENT = "Fallback";

/** Nesting of tables; deeper ones are read as flat text. */
const MAX_TABLE_DEPTH = 100;

/**
 * Open elements at a time; the parser looks through all of them at each end tag. Word itself writes a few
 * dozen.
 */
const MAX_DEPTH = 1_000;

/**
 * Reads a DOCX while its archive is inflated, and keeps only the text: an element tree would take a hundred
 * times the size of the file.
 */
export interface DocxReader {
  /**
   * Returns a consumer for the bytes of a part, if the part contains text; it throws where elements are nested
   * too deeply.
   */
  visit(name: string): ((chunk: Uint8Array) => void) | undefined;
  take(): ClippedText;
}

/** Extracts paragraphs, one per line, with tabs between table cells; then notes and comments. */
export function readDocx(chars: number): DocxReader {
  const texts = new Map<string, TextCollector>();
  return {
    visit(name) {
      if (!TEXT_PARTS.includes(name)) return undefined;
      const out = collectText(chars);
      texts.set(name, out);
      return partReader(out);
    },
    take() {
      const whole = collectText(chars);
      for (const name of TEXT_PARTS) {
        const part = texts.get(name)?.take();
        if (part !== undefined && part.text !== "") whole.write(part.text);
        // Later parts must not follow text that is cut off.
        if (part?.truncated) return { ...whole.take(), truncated: true };
      }
      const { text, truncated } = whole.take();
      return { text: truncated ? text : text.trimEnd(), truncated };
    },
  };
}

function partReader(out: TextCollector): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let inText = false;
  let fallback_depth = 0;
  let depth = 0;
  // Open table rows, outermost first: cells in the row so far, and paragraphs in the current cell.
  const rows: { cells: number; paragraphs: number }[] = [];

  const begin: Record<string, () => void> = {
    tr: () => rows.push({ cells: 0, paragraphs: 0 }),
    tc() {
      const row = rows.at(-1);
      if (row === undefined) return;
      if (row.cells > 0) out.write("\t");
      row.cells += 1;
      row.paragraphs = 0;
    },
    p() {
      const row = rows.at(-1);
      if (row === undefined) return;
      if (row.paragraphs > 0) out.write(" ");
      row.paragraphs += 1;
    },
  };
  const end: Record<string, () => void> = {
    p: () => out.write(rows.length > 0 ? "" : "\n"),
    tr() {
      rows.pop();
      out.write(rows.length > 0 ? " " : "\n");
    },
  };

  const parser = new Parser(
    {
      onopentagname(tag) {
        depth += 1;
        if (depth > MAX_DEPTH) throw tooLarge("nesting");
        const name = localName(tag);
        if (name === FALLBACK_ELEMENT) fallback_depth += 1;
        if (fallback_depth > 0) return;
        inText = name === "t";
        if (Object.hasOwn(ELEMENT_TEXTS, name)) out.write(ELEMENT_TEXTS[name] ?? "");
        if (Object.hasOwn(begin, name) && rows.length < MAX_TABLE_DEPTH) begin[name]?.();
      },
      ontext(text) {
        if (inText && fallback_depth === 0) out.write(text);
      },
      onclosetag(tag) {
        depth -= 1;
        const name = localName(tag);
        if (name === FALLBACK_ELEMENT) fallback_depth -= 1;
        if (fallback_depth > 0) return;
        inText = false;
        if (Object.hasOwn(end, name)) end[name]?.();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  return (chunk) => {
    if (!out.full()) parser.write(decoder.decode(chunk, { stream: true }));
  };
}

/** A name without its namespace prefix, which writers choose freely. */
const localName = (tag: string): string => tag.slice(tag.indexOf(":") + 1);
