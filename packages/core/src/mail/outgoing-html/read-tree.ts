import type { HtmlElement } from "../reply-extraction/html-tree.ts";
import { readStyleSheets, type StyleSheets } from "./style-sheets.ts";

/** Returns the elements that have a word or an image in them; of the others nothing is ever shown. */
export function inkedElements(root: HtmlElement): ReadonlySet<HtmlElement> {
  const inked = new Set<HtmlElement>();
  const look = (element: HtmlElement): boolean => {
    let any = /^(?:img|image|input)$/.test(element.name);
    for (const child of element.children)
      any = (child.kind === "text" ? child.text.trim() !== "" : look(child)) || any;
    if (any) inked.add(element);
    return any;
  };
  look(root);
  return inked;
}

/** Reads the style sheets of a mail. */
export function sheetsIn(root: HtmlElement): StyleSheets {
  const sheets: string[] = [];
  const look = (element: HtmlElement): void => {
    if (element.name === "style" && isForAll(element)) sheets.push(wordsOf(element));
    else for (const child of element.children) if (child.kind === "element") look(child);
  };
  look(root);
  return readStyleSheets(sheets);
}

const isForAll = ({ attributes }: HtmlElement): boolean =>
  /^\s{0,9}(?:all|screen)?\s{0,9}$/i.test(attributes["media"] ?? "");

const wordsOf = ({ children }: HtmlElement): string =>
  children.map((child) => (child.kind === "text" ? child.text : "")).join("");
