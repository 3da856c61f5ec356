import { type QuoteType, Tokenizer } from "htmlparser2";
import { restOf } from "./html-rest.ts";
import { type HtmlElement, NO_ATTRIBUTES } from "./html-tree.ts";
import { MAX_HTML_CHARS, MAX_HTML_DEPTH, MAX_HTML_ELEMENTS, MAX_HTML_RUNS } from "./limits.ts";

/** Elements without content. */
export const VOID = named("area base br col embed frame hr img input link meta param source track wbr");
/** The attributes that the rules on history and signatures read. */
export const KEPT_ATTRIBUTES = named("id class style type name hidden start data-signatureblock data-marker");
const ENDS_PARAGRAPH =
  "address article blockquote div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr ol p pre section table ul";
/** Which open elements the beginning of another one ends. */
export const IMPLIED_END = new Map<string, Set<string>>([
  ...ENDS_PARAGRAPH.split(" ").map((name): [string, Set<string>] => [name, named("p")]),
  ["li", named("li p")],
  ["td", named("td th p")],
  ["th", named("td th p")],
  ["tr", named("td th tr p")],
  ["dt", named("dt dd p")],
  ["dd", named("dt dd p")],
]);

/** Those, and where links lead and what stands for an image. */
export const SHOWN_ATTRIBUTES = new Set([...KEPT_ATTRIBUTES, "href", "alt"]);

/** An HTML mail as a tree, and the source that its positions are in. */
export interface ParsedHtml {
  root: HtmlElement;
  /** The HTML as it came, up to the limits; the rest is text. */
  source: string;
}

/**
 * Parses an HTML mail into a tree. Never throws; linear on any input: elements below MAX_HTML_DEPTH dissolve into their
 * parent, which also bounds the list of open elements. Reads MAX_HTML_CHARS characters; the rest after
 * MAX_HTML_ELEMENTS elements or MAX_HTML_RUNS runs of text becomes one run of text at the end, whatever tags are open
 * or closed there, so that no word is hidden by a tag that isn't read.
 */
export function parseHtml(
  html: string,
  kept: Pick<ReadonlySet<string>, "has"> = KEPT_ATTRIBUTES,
): ParsedHtml {
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
  /** The position at which the limits end the HTML that is read. */
  let head_end = source.length;
  /** The run of text being read: `said` is its text before `cut`; from there on the source is used unchanged. */
  let text: { start: number; said: string; cut: number; end: number } | undefined;

  const top = (): HtmlElement => open.at(-1) ?? root;
  /** Adds the text read so far to the tree as one run, even if it came in several calls. */
  const endText = (): void => {
    if (text === undefined) return;
    const { start, cut, end, said } = text;
    top().children.push({ kind: "text", text: said + source.slice(cut, end), start, end });
    read = end;
    text = undefined;
    runs += 1;
  };
  const stop = (at: number): void => {
    head_end = at;
    tokenizer.pause();
  };
  const closeTop = (end: number): void => {
    const closed = open.pop();
    if (closed) closed.end = end;
  };
  const openTag = (end: number): void => {
    // When stopped within a tag, the tokenizer still reports its end.
    if (head_end < source.length) return;
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
    endText();
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
        // Pieces of one run are adjacent.
        if (text !== undefined && text.end !== start) endText();
        if (text !== undefined) text.end = end;
        else if (runs < MAX_HTML_RUNS) text = { start, said: "", cut: start, end };
        else stop(start);
      },
      ontextentity(codepoint, end) {
        if (text === undefined && runs >= MAX_HTML_RUNS) return stop(read);
        text ??= { start: read, said: "", cut: read, end: read };
        // Some references encode two characters; both are reported.
        text.said += source.slice(text.cut, text.end) + String.fromCodePoint(codepoint);
        text.cut = end;
        text.end = end;
      },
      onopentagname(start, end) {
        endText();
        elements += 1;
        if (elements > MAX_HTML_ELEMENTS || runs >= MAX_HTML_RUNS) return stop(start - 1);
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
        if (kept.has(attribute)) value += source.slice(start, end);
      },
      onattribentity(codepoint) {
        if (kept.has(attribute)) value += String.fromCodePoint(codepoint);
      },
      onattribend(_quote: QuoteType) {
        if (!kept.has(attribute)) return;
        if (tag.attributes === NO_ATTRIBUTES) tag.attributes = {};
        tag.attributes[attribute] ??= value;
      },
      oncdata: skip,
      oncomment: (_start, end) => skip(end),
      ondeclaration: (_start, end) => skip(end),
      onprocessinginstruction: (_start, end) => skip(end),
      onend: () => undefined,
    },
  );
  function skip(end: number): void {
    endText();
    read = Math.max(read, end + 1);
  }
  tokenizer.write(source);
  tokenizer.end();
  endText();
  while (open.length > 0) closeTop(head_end);
  if (head_end === source.length) return { root, source };
  const rest = restOf(source, head_end);
  root.end = head_end + rest.length;
  root.children.push({ kind: "text", text: decoded(rest), start: head_end, end: root.end });
  return { root, source: source.slice(0, head_end) + rest };
}

/** A text without tags, its character references resolved. */
function decoded(text: string): string {
  if (!text.includes("&")) return text;
  const [first] = parseHtml(text).root.children;
  return first?.kind === "text" ? first.text : "";
}

function elementAt(name: string, start: number): HtmlElement {
  return { kind: "element", name, attributes: NO_ATTRIBUTES, children: [], start, end: start };
}

function afterTag(source: string, end: number): number {
  return source.charAt(end) === ">" ? end + 1 : end;
}

function named(names: string): Set<string> {
  return new Set(names.split(" "));
}
