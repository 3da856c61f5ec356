import type { HtmlElement, HtmlText } from "./html-tree.ts";
import { MAX_SHOWN_QUOTES } from "./limits.ts";
import { type Line, textLine } from "./line.ts";

/** A line of an HTML mail as a reader sees it, and the source nodes that it comes from. */
export interface HtmlLine extends Line {
  parts: (HtmlElement | HtmlText)[];
}

/** The context of the text being written: quote depth, and what the mail client marked. */
export interface Surroundings {
  depth: number;
  quoted: boolean;
  signature: boolean;
  history: boolean;
}

/** Builds lines from pieces of text, with one blank line where space was requested. */
export interface HtmlWriter {
  lines: HtmlLine[];
  /** Whether the current line shows anything yet. */
  inked(): boolean;
  /** Appends to the line; `part` is the source node. Repeated spaces are kept only when `verbatim`. */
  add(text: string, part: HtmlElement | HtmlText, verbatim?: boolean): void;
  /** Adds a cell separator, shown only if a later cell of the line has content. */
  separate(): void;
  /** Sets the prefix of the next visible text, such as a list number. */
  mark(marker: string): void;
  /** Ends the line if it shows something; `spaced` requests a blank line before the next one. */
  end(spaced?: boolean): void;
  /** Ends the line, or writes a blank one. */
  break(part: HtmlElement | HtmlText): void;
  /** Writes a line as it is. */
  line(text: string, part: HtmlElement | HtmlText): void;
}

/** Creates a line writer; it calls `around` for the context whenever a line is finished. */
export function htmlWriter(around: () => Surroundings): HtmlWriter {
  const lines: HtmlLine[] = [];
  // Querying the end of a growing string would copy it each time, so that state is tracked separately.
  let text = "";
  let inked = false;
  let blankEnds = true;
  let marker = "";
  let spaced = false;
  let separators = "";
  let parts: (HtmlElement | HtmlText)[] = [];

  function clear(): void {
    text = "";
    inked = false;
    blankEnds = true;
    separators = "";
  }
  function append(piece: string, verbatim = false): void {
    if (separators !== "") {
      if (piece.trim() === "") return;
      text += separators;
      separators = "";
      blankEnds = true;
    }
    const shown = blankEnds && !verbatim && piece.startsWith(" ") ? piece.slice(1) : piece;
    if (shown === "") return;
    text += shown;
    inked = inked || shown.trim() !== "";
    blankEnds = shown.endsWith(" ");
  }
  function push(content: string): void {
    const { depth, quoted, signature, history } = around();
    if (content !== "" && spaced && lines.length > 0 && lines.at(-1)?.text !== "") pushSpace();
    if (content !== "") spaced = false;
    const marks = "> ".repeat(Math.min(depth, MAX_SHOWN_QUOTES));
    const line = textLine(`${marks}${content.replace(/\u00a0/g, " ")}`.trimEnd());
    lines.push({
      text: line.text,
      bare: line.bare,
      label: line.label,
      quoted: line.quoted || quoted || depth > 0,
      answered: quoted,
      history,
      signature,
      parts,
    });
    parts = [];
  }
  // The blank line between a quote and other text is outside the quote.
  function pushSpace(): void {
    const { depth, quoted, signature, history } = around();
    const above = lines.at(-1);
    const within = above?.quoted === true && (quoted || depth > 0);
    const line = textLine(within && above.text.startsWith(">") ? ">" : "");
    lines.push({ ...line, quoted: within, answered: within && quoted, history, signature, parts: [] });
  }
  // A lone image belongs to the line above if both are in the same quote, or both outside.
  function holdPictures(): void {
    if (parts.length === 0) return;
    const above = lines.at(-1);
    const { depth, quoted, signature, history } = around();
    if (above?.quoted !== (quoted || depth > 0) || above.history !== history || above.signature !== signature)
      return;
    for (const part of parts) above.parts.push(part);
    parts = [];
  }
  function end(space = false): void {
    if (inked) {
      push(marker + text);
      marker = "";
    } else holdPictures();
    clear();
    spaced = spaced || space;
  }

  return {
    lines,
    inked: () => inked,
    add(piece, part, verbatim) {
      parts.push(part);
      append(piece, verbatim);
    },
    separate() {
      separators += blankEnds || separators !== "" ? "| " : " | ";
    },
    mark(next) {
      marker = next;
    },
    end,
    break(part) {
      parts.push(part);
      if (inked) return end();
      spaced = false;
      push("");
      clear();
    },
    line(content, part) {
      end();
      parts.push(part);
      push(content);
    },
  };
}
