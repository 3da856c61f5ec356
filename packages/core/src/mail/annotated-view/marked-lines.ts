import { lineContext, piecesOf, writeLine } from "../links/line-pieces.ts";
import { inParentheses, linkTarget, showsTarget } from "../links/link-target.ts";
import type { HtmlElement, HtmlText } from "../reply-extraction/html-tree.ts";
import type { HtmlLine } from "../reply-extraction/html-writer.ts";
import { isBlank } from "../reply-extraction/line.ts";

/**
 * Returns the lines of an HTML mail with links as `[text](where it really goes)` and images as `![alternative text]`;
 * null for a line with nothing visible. Where a link goes is written out the first time, and after that by its host.
 * The mail can't write these forms itself: its own `](` and `![` are broken up.
 */
export function markedLines(
  root: HtmlElement,
  lines: readonly HtmlLine[],
  hidden: ReadonlySet<HtmlText>,
): (string | null)[] {
  const context = lineContext(root, hidden);
  const shown = new Set<string>();
  const withTarget = (label: string, { attributes }: HtmlElement): string => {
    const target = linkTarget(attributes["href"] ?? "");
    if (target === null || showsTarget(label, target)) return label;
    const { url = "", short } = target;
    const is_new = url !== "" && !shown.has(url);
    shown.add(url);
    return `[${label}](${is_new ? inParentheses(url) : short})`;
  };
  return lines.map((line) => {
    const pieces = piecesOf(line, context);
    if (pieces.length === 0) return setApart(line.text);
    const seen = pieces.filter((piece) => !piece.hidden);
    if (seen.length === 0 && !isBlank(line)) return null;
    return writeLine(line.text, pieces, { text: setApart, image: (alt) => `![${alt}]`, link: withTarget });
  });
}

const setApart = (text: string): string => text.replaceAll("](", "] (").replaceAll("![", "! [");
