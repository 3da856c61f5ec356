import { altOf } from "../links/alt-text.ts";
import { introducedBy } from "./html-introduction.ts";
import { type HtmlSign, signOf } from "./html-signs.ts";
import { classesOf, type HtmlElement, type HtmlText, NO_ATTRIBUTES } from "./html-tree.ts";
import { type HtmlLine, htmlWriter } from "./html-writer.ts";
import { MAX_HTML_LINES } from "./limits.ts";
import { isBlank } from "./line.ts";

const SKIPPED = named(
  "head script style title template noscript select svg math object iframe textarea noembed noframes",
);
const BLOCKS = named(
  "address article aside blockquote body center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header html li main nav ol p pre section table tbody tfoot thead tr ul",
);
const SPACED = named("h1 h2 h3 h4 h5 h6 ol p pre ul");
const SPACED_IN_LIST = named("h1 h2 h3 h4 h5 h6 pre");
/** Elements that change the reading of their text even without attributes. */
const SURROUNDS = named("blockquote pre ul ol");
const UNSPACED = /(?:^|;)\s*margin(?:-bottom|-top)?:\s*0/i;
const HIDDEN = /display:\s*none|visibility:\s*hidden|mso-hide:\s*all/i;
const PREFORMATTED = /white-space:\s*pre(?:-wrap)?\b/i;
/** White space that shows as one space; single spaces, which are the majority, are left alone. */
export const WIDE_SPACE = / *[\t\r\n\f][ \t\r\n\f]*| {2,}/g;
const INDENTED = /border(?:-left)?:\s*(?:none|0)/i;

interface Context {
  depth: number;
  quoted: boolean;
  signature: boolean;
  preformatted: boolean;
  /** The marker of the next list item. */
  bullet: string;
  list: boolean;
  history: false;
}

/**
 * The lines of an HTML mail: blocks and line breaks end them, list items and cells are marked, hidden
 * elements are omitted. The alternative texts of images are its lines if it shows nothing else.
 */
export function htmlLines(root: HtmlElement): HtmlLine[] {
  const lines = linesOf(root, () => "");
  return lines.every(isBlank) ? linesOf(root, altOf) : lines;
}

function linesOf(root: HtmlElement, imageText: (image: HtmlElement) => string): HtmlLine[] {
  let context: Context = {
    depth: 0,
    quoted: false,
    signature: false,
    preformatted: false,
    bullet: "- ",
    list: false,
    history: false,
  };
  let history = false;
  const writer = htmlWriter(() => (history ? { ...context, history } : context));

  function addText(node: HtmlText): void {
    if (!context.preformatted) return writer.add(node.text.replace(WIDE_SPACE, " "), node);
    const lines = node.text.split(/\r\n|\r|\n/);
    const room = Math.max(1, MAX_HTML_LINES - writer.lines.length);
    const [first = "", ...more] = lines.slice(0, room);
    writer.add(first, node, true);
    for (const line of more) {
      writer.break(node);
      writer.add(line, node, true);
    }
    if (lines.length > room) writer.add(` ${lines.slice(room).join(" ")}`, node, true);
  }
  function addElement(element: HtmlElement): void {
    const name = element.name;
    if (SKIPPED.has(name) || isHidden(element)) return;
    if (name === "br") return writer.break(element);
    if (name === "hr" && signOf(element) === null) return writer.line("---", element);
    if (name === "img") {
      const alt = imageText(element);
      return writer.add(alt === "" ? "" : ` ${alt} `, element);
    }
    const sign = signOf(element);
    const ends = BLOCKS.has(name) || sign !== null;
    const before = context;
    const spaced = (before.list ? SPACED_IN_LIST : SPACED).has(name) && !isUnspaced(element);
    if (ends) writer.end(spaced);
    if (sign === "history") history = true;
    context = inside(element, sign, before);
    if (name === "li") writer.mark(before.bullet);
    addChildren(element, sign);
    if (ends) writer.end(spaced);
    if (name === "li") writer.mark("");
    context = before;
  }
  function addChildren(element: HtmlElement, sign: HtmlSign | null): void {
    const [quotedFrom, answersFrom] = sign === "attribution" ? introducedBy(element) : [0, 0];
    const plain = context;
    let number = Number.parseInt(element.attributes.start ?? "1", 10) || 1;
    element.children.forEach((child, index) => {
      if ((index === answersFrom || index === quotedFrom) && index > 0) writer.end();
      const introduces = index >= quotedFrom && index < answersFrom;
      context = introduces && !plain.quoted ? { ...plain, quoted: true } : plain;
      if (child.kind === "text") return addText(child);
      if ((child.name === "td" || child.name === "th") && writer.inked()) writer.separate();
      if (child.name === "li" && element.name === "ol") context = { ...context, bullet: `${number++}. ` };
      addElement(child);
    });
  }

  addElement(root);
  writer.end();
  return writer.lines;
}

function inside(element: HtmlElement, sign: HtmlSign | null, outer: Context): Context {
  if (element.attributes === NO_ATTRIBUTES && !SURROUNDS.has(element.name)) return outer;
  const style = element.attributes.style ?? "";
  const cites = element.name === "blockquote" && (sign === "quote" || !INDENTED.test(style));
  return {
    depth: outer.depth + (cites ? 1 : 0),
    quoted: outer.quoted || sign === "quote",
    signature: outer.signature || sign === "signature",
    preformatted: outer.preformatted || element.name === "pre" || PREFORMATTED.test(style),
    bullet: element.name === "ul" ? "- " : outer.bullet,
    list: outer.list || element.name === "ul" || element.name === "ol",
    history: outer.history,
  };
}

function isHidden(element: HtmlElement): boolean {
  if (element.attributes === NO_ATTRIBUTES) return false;
  return "hidden" in element.attributes || HIDDEN.test(element.attributes.style ?? "");
}

// Word writes every line as a paragraph without margins.
function isUnspaced(element: HtmlElement): boolean {
  if (element.attributes === NO_ATTRIBUTES) return false;
  const word = classesOf(element).some((name) =>
    /^mso(?:normal|plaintext|listparagraph|nospacing)/.test(name),
  );
  return word || UNSPACED.test(element.attributes.style ?? "");
}

function named(names: string): Set<string> {
  return new Set(names.split(" "));
}
