import type { ParsedHtml } from "./html-parse.ts";
import type { HtmlElement, HtmlText } from "./html-tree.ts";
import type { HtmlLine } from "./html-writer.ts";
import { isBlank } from "./line.ts";

/**
 * The source without the lines that aren't in `kept`: their text is removed, and so is every element that
 * contained nothing else. The rest stays byte for byte.
 */
export function pruneHtml(
  { root, source: html }: ParsedHtml,
  lines: readonly HtmlLine[],
  kept: ReadonlySet<HtmlLine>,
): string {
  if (lines.every((line) => isBlank(line) || kept.has(line))) return html;
  const keptParts = new Set<HtmlElement | HtmlText>();
  const droppedParts = new Set<HtmlElement | HtmlText>();
  let dropping = false;
  for (const line of lines) {
    // A blank line, or one with only an image, goes with the text above it.
    if (!isBlank(line)) dropping = !kept.has(line);
    for (const part of line.parts) (dropping ? droppedParts : keptParts).add(part);
  }
  const cuts: [number, number][] = [];
  collectCuts(root, keptParts, droppedParts, cuts);
  let out = "";
  let at = 0;
  for (const [start, end] of cuts) {
    if (end <= at) continue;
    out += html.slice(at, Math.max(start, at));
    at = end;
  }
  return out + html.slice(at);
}

type Parts = ReadonlySet<HtmlElement | HtmlText>;

// Returns whether the node contains something kept, something dropped, or neither.
function collectCuts(
  node: HtmlElement | HtmlText,
  kept: Parts,
  dropped: Parts,
  cuts: [number, number][],
): "kept" | "dropped" | "empty" {
  if (kept.has(node)) return "kept";
  if (dropped.has(node)) {
    cuts.push([node.start, node.end]);
    return "dropped";
  }
  if (node.kind === "text") return "empty";
  const mark = cuts.length;
  const found = node.children.map((child) => collectCuts(child, kept, dropped, cuts));
  if (found.includes("kept") || node.name === "body" || node.name === "html" || node.name === "#root")
    return "kept";
  if (!found.includes("dropped")) return "empty";
  cuts.length = mark;
  cuts.push([node.start, node.end]);
  return "dropped";
}
