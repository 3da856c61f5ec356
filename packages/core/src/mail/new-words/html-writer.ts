import type { HtmlElement, HtmlText } from "./html-tree.ts";
import { MAX_SHOWN_QUOTES } from "./limits.ts";
import { type Line, textLine } from "./line.ts";

/** A line of an HTML mail as a reader sees it, and the places in the source that make it up. */
export interface HtmlLine extends Line {
  parts: (HtmlElement | HtmlText)[];
}

/** What surrounds the text that is written: how many quotes, and what the mail client says about it. */
export interface Surroundings {
  depth: number;
  quoted: boolean;
  signature: boolean;
  history: boolean;
}

/** Puts lines together from pieces of text, with one blank line where space was asked for. */
export interface HtmlWriter {
  lines: HtmlLine[];
  /** Whether the line that is being written shows anything yet. */
  inked(): boolean;
  /**
   * Adds to the line; `part` is where the text stands in the source. A second blank in a row shows only when
   * `verbatim`.
   */
  add(text: string, part: HtmlElement | HtmlText, verbatim?: boolean): void;
  /** Adds a separator between cells, which shows once a later cell of the line does. */
  separate(): void;
  /** Sets what comes before the next text that shows, such as the number of a list item. */
  mark(marker: string): void;
  /** Ends the line if it shows something; asks for a blank line before the next when `spaced`. */
  end(spaced?: boolean): void;
  /** Ends the line, or writes a blank one. */
  break(part: HtmlElement | HtmlText): void;
  /** Writes a line as it is. */
  line(text: string, part: HtmlElement | HtmlText): void;
}

/** A writer of lines; `around` is asked for the surroundings whenever a line is finished. */
export function htmlWriter(around: () => Surroundings): HtmlWriter {
  const lines: HtmlLine[] = [];
  // Asking a string that grows for its end would copy it each time: what's asked is kept beside it.
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
      ...line,
      quoted: line.quoted || quoted || depth > 0,
      answered: quoted,
      history,
      signature,
      parts,
    });
    parts = [];
  }
  // Between a quote and what isn't one, the blank line is outside.
  function pushSpace(): void {
    const { depth, quoted, signature, history } = around();
    const above = lines.at(-1);
    const within = above?.quoted === true && (quoted || depth > 0);
    const line = textLine(within && above.text.startsWith(">") ? ">" : "");
    lines.push({ ...line, quoted: within, answered: within && quoted, history, signature, parts: [] });
  }
  // A picture on its own belongs to the line above when both stand in the same quote, or outside of one.
  function holdPictures(): void {
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
