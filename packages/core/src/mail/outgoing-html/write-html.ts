import type { CleanNode } from "./clean-tree.ts";
import { styleText } from "./declarations.ts";

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const VOID: ReadonlySet<string> = new Set(["br", "hr", "img"]);

/** Writes cleaned HTML. The only character references are those of `&`, `<`, `>` and `"`. */
export function writeHtml(nodes: readonly CleanNode[]): string {
  const out: string[] = [];
  write(nodes, out);
  return out.join("");
}

function write(nodes: readonly CleanNode[], out: string[]): void {
  for (const node of nodes) {
    if (typeof node === "string") {
      out.push(escape(node));
      continue;
    }
    const style = node.style === undefined ? "" : styleText(node.style);
    const written = style === "" ? node.attributes : { ...node.attributes, style };
    const attributes = Object.entries(written).map(([name, value]) => ` ${name}="${escape(value)}"`);
    out.push(`<${node.name}${attributes.join("")}>`);
    if (VOID.has(node.name)) continue;
    write(node.children, out);
    out.push(`</${node.name}>`);
  }
}

const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
