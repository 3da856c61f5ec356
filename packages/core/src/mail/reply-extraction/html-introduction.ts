import { classesOf, type HtmlElement, type HtmlText } from "./html-tree.ts";

/** A longer text is prose. */
const MAX_INTRODUCTION_CHARS = 300;
const INLINE = new Set("a b em font i small span strong u wbr".split(" "));

/**
 * Returns the children of a client's quote container, from one index up to another, that introduce its quote: "On …
 * wrote:" above the first quote. Where the introduction is marked and no quote follows, all below it is history. The
 * rest is text: some clients put the writer's own words into such a container.
 */
export function introducedBy({ children }: HtmlElement): readonly [number, number] {
  const quote = children.findIndex((child) => child.kind === "element" && child.name === "blockquote");
  const marked = children.findIndex(isMarked);
  if (marked >= 0 && quote < 0) return [marked, children.length];
  if (marked >= 0 && marked < quote) return [marked, quote];
  return quote < 0 ? [0, 0] : [introductionAbove(children, quote), quote];
}

type Node = HtmlElement | HtmlText;

/** Whether it is marked as an introduction, by its class or by a line of dashes around words. */
function isMarked(node: Node): boolean {
  if (node.kind === "element" && classesOf(node).some((name) => ATTRIBUTIONS.has(name))) return true;
  return /^\s*-{4,}[^-]{1,100}-{4,}/.test(textWithin(node));
}

const ATTRIBUTIONS = new Set(["gmail_attr", "gmail_quote_attribution"]);

/** Returns the index at which the line or block directly above a quote begins, if that introduces it. */
function introductionAbove(children: readonly Node[], quote: number): number {
  let at = quote - 1;
  while (at >= 0 && isBreak(children[at] as Node)) at -= 1;
  if (at < 0) return quote;
  let said = textWithin(children[at] as Node);
  while (at > 0 && isInline(children[at] as Node) && isInline(children[at - 1] as Node)) {
    at -= 1;
    said = `${textWithin(children[at] as Node)}${said}`.slice(-MAX_INTRODUCTION_CHARS - 1);
  }
  const introduces = said.length <= MAX_INTRODUCTION_CHARS && /@|[:：]\s*$/u.test(said);
  return introduces ? at : quote;
}

const isBreak = (node: Node): boolean =>
  node.kind === "text" ? node.text.trim() === "" : node.name === "br" || textWithin(node).trim() === "";

const isInline = (node: Node): boolean => node.kind === "text" || INLINE.has(node.name);

/** The text of a node, cut beyond what an introduction may have. */
function textWithin(node: Node): string {
  if (node.kind === "text") return node.text.slice(0, MAX_INTRODUCTION_CHARS + 1);
  let text = "";
  let left = MAX_NODES;
  const visit = (each: Node): void => {
    left -= 1;
    if (left < 0 || text.length > MAX_INTRODUCTION_CHARS) return;
    if (each.kind === "text") text += each.text.slice(0, MAX_INTRODUCTION_CHARS + 1);
    else for (const child of each.children.slice(0, left)) visit(child);
  };
  visit(node);
  return text;
}

/** The nodes of an element that are read. */
const MAX_NODES = 50;
