import { type QuoteType, Tokenizer } from "htmlparser2";
import type { HtmlElement } from "./html-tree.ts";
import { MAX_HTML_CHARS, MAX_HTML_DEPTH, MAX_HTML_ELEMENTS, MAX_HTML_RUNS } from "./limits.ts";

const VOID = named("area base br col embed frame hr img input link meta param source track wbr");
const KEPT_ATTRIBUTES = named("id class style type name hidden start data-signatureblock data-marker");
const ENDS_PARAGRAPH =
  "address article blockquote div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr ol p pre section table ul";
const IMPLIED_END = new Map<string, Set<string>>([
  ...ENDS_PARAGRAPH.split(" ").map((name): [string, Set<string>] => [name, named("p")]),
  ["li", named("li p")],
  ["td", named("td th p")],
  ["th", named("td th p")],
  ["tr", named("td th tr p")],
  ["dt", named("dt dd p")],
  ["dd", named("dt dd p")],
]);

/**
 * Parses an HTML mail into a tree. Never throws; linear on any input: elements below MAX_HTML_DEPTH dissolve
 * into their parent, which also bounds the list of open elements. Reads MAX_HTML_CHARS characters; what follows
 * MAX_HTML_ELEMENTS elements or MAX_HTML_RUNS runs of text becomes one run of text at the end, whatever tags
 * are open or closed there, so that no word is hidden by a tag that isn't read.
 */
export function parseHtml(
  html: string,
  kept: Pick<ReadonlySet<string>, "has"> = KEPT_ATTRIBUTES,
): HtmlElement {
  const source = html.slice(0, MAX_HTML_CHARS);
  const root = elementAt("#root", 0);
  const open: HtmlElement[] = [root];
  const dissolved = new Map<string, number>();
  let tag = elementAt("", 0);
  let attribute = "";
  let value = "";
  let read = 0;
  let elements = 0;
  let runs = 0;
  /** What follows the limits; `start` is negative before it. */
  const rest = { start: -1, pieces: [] as string[] };

  const top = (): HtmlElement => open.at(-1) ?? root;
  /** Drops a tag; one that ends a line leaves a space. */
  const dropTag = (name: string): void => {
    if (IMPLIED_END.has(name) || VOID.has(name)) rest.pieces.push(" ");
  };
  const addText = (text: string, end: number): void => {
    if (rest.start >= 0) {
      rest.pieces.push(text);
      return;
    }
    const last = top().children.at(-1);
    if (last?.kind === "text" && last.end === read) {
      last.text += text;
      last.end = end;
    } else {
      top().children.push({ kind: "text", text, start: read, end });
      runs += 1;
    }
    read = end;
    if (runs >= MAX_HTML_RUNS) beginRest(end);
  };
  const closeTop = (end: number): void => {
    const closed = open.pop();
    if (closed) closed.end = end;
  };
  const beginRest = (start: number): void => {
    while (open.length > 1) closeTop(start);
    rest.start = start;
  };
  const openTag = (end: number): void => {
    if (rest.start >= 0) return dropTag(tag.name);
    elements += 1;
    if (elements > MAX_HTML_ELEMENTS) {
      beginRest(tag.start);
      return dropTag(tag.name);
    }
    read = end;
    tag.end = end;
    while (open.length > 1 && IMPLIED_END.get(tag.name)?.has(top().name)) closeTop(tag.start);
    if (VOID.has(tag.name)) {
      top().children.push(tag);
      return;
    }
    if (open.length > MAX_HTML_DEPTH) {
      dissolved.set(tag.name, (dissolved.get(tag.name) ?? 0) + 1);
      return;
    }
    top().children.push(tag);
    open.push(tag);
  };
  const closeTag = (name: string, start: number, end: number): void => {
    if (rest.start >= 0) return dropTag(name);
    read = end;
    const count = dissolved.get(name) ?? 0;
    if (count > 0) {
      dissolved.set(name, count - 1);
      return;
    }
    const at = open.findLastIndex((element) => element.name === name);
    if (at < 1) return;
    while (open.length > at + 1) closeTop(start);
    closeTop(end);
  };

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext(start, end) {
        read = start;
        addText(source.slice(start, end), end);
      },
      ontextentity(codepoint, end) {
        addText(String.fromCodePoint(codepoint), end);
      },
      onopentagname(start, end) {
        tag = elementAt(source.slice(start, end).toLowerCase(), start - 1);
      },
      onopentagend: (end) => openTag(end + 1),
      onselfclosingtag: (end) => openTag(end + 1),
      onclosetag: (start, end) =>
        closeTag(source.slice(start, end).toLowerCase(), start - 2, afterTag(source, end)),
      onattribname(start, end) {
        attribute = source.slice(start, end).toLowerCase();
        value = "";
      },
      onattribdata(start, end) {
        if (rest.start < 0 && kept.has(attribute)) value += source.slice(start, end);
      },
      onattribentity(codepoint) {
        if (kept.has(attribute)) value += String.fromCodePoint(codepoint);
      },
      onattribend(_quote: QuoteType) {
        if (kept.has(attribute)) tag.attributes[attribute] ??= value;
      },
      oncdata: skip,
      oncomment: (_start, end) => skip(end),
      ondeclaration: (_start, end) => skip(end),
      onprocessinginstruction: (_start, end) => skip(end),
      onend: () => undefined,
    },
  );
  function skip(end: number): void {
    read = Math.max(read, end + 1);
  }
  tokenizer.write(source);
  tokenizer.end();
  if (rest.start >= 0)
    root.children.push({ kind: "text", text: rest.pieces.join(""), start: rest.start, end: source.length });
  while (open.length > 0) closeTop(source.length);
  return root;
}

function elementAt(name: string, start: number): HtmlElement {
  return { kind: "element", name, attributes: {}, children: [], start, end: start };
}

function afterTag(source: string, end: number): number {
  return source.charAt(end) === ">" ? end + 1 : end;
}

function named(names: string): Set<string> {
  return new Set(names.split(" "));
}
