import type { ShownLink } from "../../model/read-mail.ts";
import { cleanLine } from "../annotated-view/frame.ts";
import type { HtmlElement } from "../reply-extraction/html-tree.ts";
import type { HtmlLine } from "../reply-extraction/html-writer.ts";
import { lineContext, piecesOf, writeLine } from "./line-pieces.ts";
import { inParentheses, type LinkTarget, linkTarget, showsTarget } from "./link-target.ts";
import { linksIn } from "./text-links.ts";

/** Links of a mail that are listed. */
const MAX_LISTED = 50;
const MAX_LABEL_CHARS = 200;
/** A longer address is shown by its host. */
const MAX_INLINE_URL_CHARS = 200;

/** Lists the links of a mail, each address once. */
export interface LinkList {
  add(label: string, target: LinkTarget): void;
  /** Adds the links of a plain text, but none that may be cut. */
  addText(text: string): void;
  links: ShownLink[];
}

/** Creates an empty list of links. */
export function linkList(): LinkList {
  const found = new Map<string, ShownLink>();
  const links: ShownLink[] = [];
  const add = (label: string, { url, host }: LinkTarget): void => {
    if (url === undefined || found.has(url) || links.length >= MAX_LISTED) return;
    const link = { text: cleanLine(label, MAX_LABEL_CHARS), url, host };
    found.set(url, link);
    links.push(link);
  };
  const addText = (text: string): void => {
    for (const { href, is_cut } of linksIn(text)) {
      const target = is_cut === true ? null : linkTarget(/^www\./i.test(href) ? `https://${href}` : href);
      if (target !== null) add(href, target);
    }
  };
  return { add, addText, links };
}

/**
 * The lines of an HTML mail, each link with its target in parentheses after it: the whole address the first time, if it
 * isn't long, else the host. A link that shows only an image has the image's alternative text.
 */
export function linesWithLinks(root: HtmlElement, lines: readonly HtmlLine[], list: LinkList): string[] {
  const context = lineContext(root);
  const shown = new Set<string>();
  const withTarget = (label: string, { attributes }: HtmlElement): string => {
    const target = linkTarget(attributes["href"] ?? "");
    if (target === null) return label;
    list.add(label.trim(), target);
    if (showsTarget(label, target)) return label;
    const { url = "" } = target;
    const is_new = url !== "" && url.length <= MAX_INLINE_URL_CHARS && !shown.has(url);
    shown.add(url);
    return `${label} (${is_new ? inParentheses(url) : target.short})`;
  };
  return lines.map((line) =>
    writeLine(line.text, piecesOf(line, context), {
      text: (text) => text,
      image: (alt, alone) => (alone ? alt : ""),
      link: withTarget,
    }),
  );
}
