import { cleanText } from "../annotated-view/frame.ts";
import type { HtmlElement } from "../reply-extraction/html-tree.ts";

const MAX_ALT_CHARS = 200;

/** The alternative text of an image on one line, cleaned; empty without one. */
export function altOf({ attributes }: HtmlElement): string {
  const alt = cleanText((attributes["alt"] ?? "").slice(0, 2 * MAX_ALT_CHARS))
    .replace(/[\s[\]]+/gu, " ")
    .trim();
  return [...alt].slice(0, MAX_ALT_CHARS).join("");
}
