import { Parser } from "htmlparser2";
import { type ClippedText, collectText, type TextCollector } from "./clipped-text.ts";

/** The parts of a DOCX that hold its text, in the order in which they are read. */
const parts = ["word/document.xml", "word/footnotes.xml", "word/endnotes.xml", "word/comments.xml"];

/** What these elements stand for in plain text (ECMA-376, part 1, section 17.3.3). */
const marks: Record<string, string> = { tab: "\t", ptab: "\t", br: "\n", cr: "\n", noBreakHyphen: "\u2011" };

/** What is there twice: for readers that don't know the newer form. */
const repeated = "Fallback";

/** Tables within tables; deeper ones are read as if they were flat. */
const maxDepth = 100;

/**
 * Reads a DOCX while its archive is walked, keeping no more than the text: a tree of its elements takes a
 * hundred times the file.
 */
export interface DocxReader {
  /** Takes the bytes of a part, when it is one with text. */
  visit(name: string): ((chunk: Uint8Array) => void) | undefined;
  take(): ClippedText;
}

/**
 * The paragraphs of a DOCX, each on its line, cells of a table with tabs between; then its notes and
 * comments.
 */
export function readDocx(chars: number): DocxReader {
  const texts = new Map<string, TextCollector>();
  return {
    visit(name) {
      if (!parts.includes(name)) return undefined;
      const out = collectText(chars);
      texts.set(name, out);
      return partReader(out);
    },
    take() {
      const whole = collectText(chars);
      for (const name of parts) {
        const part = texts.get(name)?.take();
        if (part !== undefined && part.text !== "") whole.write(part.text);
        // The rest of this part is missing, so that what follows would stand in its place.
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
  let skipping = 0;
  // Tables lie within cells of tables: cells in this row, and paragraphs in this cell, from the outside in.
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
        const name = localName(tag);
        if (name === repeated) skipping += 1;
        if (skipping > 0) return;
        inText = name === "t";
        if (Object.hasOwn(marks, name)) out.write(marks[name] ?? "");
        if (Object.hasOwn(begin, name) && rows.length < maxDepth) begin[name]?.();
      },
      ontext(text) {
        if (inText && skipping === 0) out.write(text);
      },
      onclosetag(tag) {
        const name = localName(tag);
        if (name === repeated) skipping -= 1;
        if (skipping > 0) return;
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

/** A name without its namespace's prefix, which each writer chooses. */
const localName = (tag: string): string => tag.slice(tag.indexOf(":") + 1);
