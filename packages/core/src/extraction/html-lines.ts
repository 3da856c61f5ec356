import { signOf } from "./html-signs.ts";
import { classesOf, type HtmlElement, type HtmlText } from "./html-tree.ts";
import { bareOf, type Line, textLine } from "./line.ts";

/** A line of an HTML mail as a reader sees it, and the places in the source that make it up. */
export interface HtmlLine extends Line {
  parts: (HtmlElement | HtmlText)[];
}

const SKIPPED = new Set([
  "head",
  "script",
  "style",
  "title",
  "template",
  "noscript",
  "select",
  "svg",
  "math",
  "object",
  "iframe",
  "textarea",
  "noembed",
  "noframes",
]);
const BLOCKS = new Set([
  "address",
  "article",
  "aside",
  "blockquote",
  "body",
  "center",
  "dd",
  "div",
  "dl",
  "dt",
  "fieldset",
  "figure",
  "footer",
  "form",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "header",
  "html",
  "li",
  "main",
  "nav",
  "ol",
  "p",
  "pre",
  "section",
  "table",
  "tbody",
  "tfoot",
  "thead",
  "tr",
  "ul",
]);
const SPACED = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "ul"]);
const UNSPACED = /(?:^|;)\s*margin(?:-bottom|-top)?:\s*0/i;
const HIDDEN = /display:\s*none|visibility:\s*hidden|mso-hide:\s*all/i;
const INDENTED = /border(?:-left)?:\s*(?:none|0)/i;

interface Context {
  depth: number;
  quoted: boolean;
  signature: boolean;
  pre: boolean;
  prefix: string;
  list: boolean;
}

/** The lines of an HTML mail: blocks and line breaks end them, list items and cells are marked, hidden elements are left out. */
export function htmlLines(root: HtmlElement): HtmlLine[] {
  const lines: HtmlLine[] = [];
  // Asking a string that grows for its end would copy it each time: what's asked is kept beside it.
  let text = "";
  let inked = false;
  let spaceEnds = true;
  let marker = "";
  let parts: (HtmlElement | HtmlText)[] = [];
  let context: Context = { depth: 0, quoted: false, signature: false, pre: false, prefix: "", list: false };
  let history = false;
  let spaced = false;

  function push(content: string): void {
    if (content !== "" && spaced && lines.length > 0 && lines.at(-1)?.text !== "") blankLine();
    if (content !== "") spaced = false;
    const shown = `${"> ".repeat(context.depth)}${content.replace(/\u00a0/g, " ").trimEnd()}`.trimEnd();
    const plain = textLine(shown);
    const quoted = plain.quoted || context.quoted || context.depth > 0;
    lines.push({ ...plain, bare: bareOf(shown), quoted, history, signature: context.signature, parts });
    parts = [];
  }
  function endLine(): void {
    if (inked) {
      push(marker + text);
      marker = "";
    } else holdPictures();
    setText("");
  }
  function setText(start: string): void {
    text = start;
    inked = start.trim() !== "";
    spaceEnds = start === "" || start.endsWith(" ");
  }
  function append(piece: string): void {
    if (piece === "") return;
    text += piece;
    inked = inked || piece.trim() !== "";
    spaceEnds = piece.endsWith(" ");
  }
  function blankLine(): void {
    const above = lines.at(-1);
    const quoted = above?.quoted === true && (context.quoted || context.depth > 0);
    lines.push({
      ...textLine(quoted && above?.text.startsWith(">") ? ">" : ""),
      quoted,
      history,
      signature: context.signature,
      parts: [],
    });
  }
  // A picture on its own belongs to the line above when both stand in the same quote, or outside of one.
  function holdPictures(): void {
    const above = lines.at(-1);
    if (above === undefined || parts.length === 0) return;
    const same =
      above.quoted === (context.quoted || context.depth > 0) &&
      above.history === history &&
      above.signature === context.signature;
    if (!same) return;
    for (const part of parts) above.parts.push(part);
    parts = [];
  }
  function breakLine(element: HtmlElement): void {
    parts.push(element);
    if (inked) return endLine();
    spaced = false;
    push("");
    setText("");
  }
  function addText(node: HtmlText): void {
    parts.push(node);
    if (context.pre) {
      const [first = "", ...rest] = node.text.split(/\r\n|\r|\n/);
      append(first);
      for (const line of rest) {
        push(text);
        parts.push(node);
        setText(line);
      }
      return;
    }
    const words = node.text.replace(/[ \t\r\n\f]+/g, " ");
    append(spaceEnds ? words.replace(/^ /, "") : words);
  }
  function addElement(element: HtmlElement): void {
    const name = element.name;
    if (SKIPPED.has(name) || isHidden(element)) return;
    if (name === "br") return breakLine(element);
    if (name === "img") {
      parts.push(element);
      return;
    }
    const sign = signOf(element);
    const block = BLOCKS.has(name);
    if (block || sign !== null) endLine();
    if (sign === "history") history = true;
    if (name === "hr") {
      parts.push(element);
      push("---");
      return;
    }
    const before = context;
    const spaces = SPACED.has(name) && !isUnspaced(element) && !(before.list && /^(?:ul|ol|p)$/.test(name));
    context = inside(element, sign, before);
    spaced = spaced || spaces;
    if (name === "li") marker = before.prefix === "" ? "- " : before.prefix;
    addChildren(element, sign);
    if (block || sign !== null) endLine();
    spaced = spaced || spaces;
    if (name === "li") marker = "";
    context = before;
  }
  function addChildren(element: HtmlElement, sign: string | null): void {
    const answersFrom = sign === "attribution" ? firstQuote(element) : 0;
    const plain = context;
    let item = Number.parseInt(element.attributes.start ?? "1", 10) || 1;
    element.children.forEach((child, index) => {
      if (sign === "attribution") context = { ...plain, quoted: plain.quoted || index < answersFrom };
      if (child.kind === "text") return addText(child);
      if ((child.name === "td" || child.name === "th") && inked) append(spaceEnds ? "| " : " | ");
      if (child.name === "li" && element.name === "ol") {
        context = { ...plain, prefix: `${item}. ` };
        item += 1;
      }
      addElement(child);
    });
    context = plain;
  }

  addElement(root);
  endLine();
  if (parts.length > 0) push("");
  return lines;
}

function inside(element: HtmlElement, sign: string | null, outer: Context): Context {
  const cited = element.name === "blockquote" && !INDENTED.test(element.attributes.style ?? "");
  return {
    depth: outer.depth + (cited || (element.name === "blockquote" && sign === "quote") ? 1 : 0),
    quoted: outer.quoted || sign === "quote",
    signature: outer.signature || sign === "signature",
    pre: outer.pre || element.name === "pre" || /white-space:\s*pre(?:-wrap)?\b/i.test(element.attributes.style ?? ""),
    prefix: element.name === "ul" || element.name === "li" ? "" : outer.prefix,
    list: outer.list || element.name === "ul" || element.name === "ol",
  };
}

function isHidden(element: HtmlElement): boolean {
  return "hidden" in element.attributes || HIDDEN.test(element.attributes.style ?? "");
}

// Word writes every line as a paragraph without margins.
function isUnspaced(element: HtmlElement): boolean {
  return (
    UNSPACED.test(element.attributes.style ?? "") ||
    classesOf(element).some((name) => /^mso(?:normal|plaintext|listparagraph|nospacing)/.test(name))
  );
}

// Above the first quote stands "On … wrote:"; between and below quotes stand answers. Without a quote all of it is history.
function firstQuote(element: HtmlElement): number {
  const first = element.children.findIndex((child) => child.kind === "element" && child.name === "blockquote");
  return first < 0 ? element.children.length : first;
}
