import { WIDE_SPACE } from "./characters.ts";
import { type CleanElement, type CleanNode, flowOf, wordsIn } from "./clean-tree.ts";

const SPACED: ReadonlySet<string> = new Set("blockquote h1 h2 h3 h4 h5 h6 ol p pre table ul".split(" "));
const MAX_SHOWN_QUOTES = 8;

/** The state of the surroundings of a text. */
interface Around {
  quotes: number;
  items: number;
  preformatted: boolean;
}

/**
 * Cleaned HTML as plain text. Every word of it is there, in the same order; links are followed by where they
 * lead, items and cells are marked, images are named.
 */
export function cleanText(nodes: readonly CleanNode[]): string {
  const lines: string[] = [];
  // Asking a growing string for its end would copy it each time.
  let line: string[] = [];
  let blankEnds = true;
  let inked = false;
  let spaced = false;
  let marker = "";

  function add(words: string, preformatted: boolean): void {
    const shown = preformatted ? words : words.replace(WIDE_SPACE, " ");
    const piece = !preformatted && blankEnds ? shown.replace(/^ /, "") : shown;
    if (piece === "") return;
    line.push(piece);
    blankEnds = piece.endsWith(" ");
    inked ||= piece.trim() !== "";
  }
  function clear(): void {
    line = [];
    blankEnds = true;
    inked = false;
  }
  function end({ quotes, items }: Around, space: boolean): void {
    if (inked) {
      if (spaced && lines.length > 0 && lines.at(-1) !== "") lines.push("");
      const indent = "  ".repeat(Math.max(0, Math.min(items, MAX_SHOWN_QUOTES) - 1));
      const marks = "> ".repeat(Math.min(quotes, MAX_SHOWN_QUOTES));
      lines.push(`${marks}${indent}${marker}${line.join("").replaceAll("\u00a0", " ")}`.trimEnd());
      marker = "";
      spaced = false;
    }
    clear();
    spaced ||= space;
  }
  function breakLine(around: Around): void {
    if (inked) return end(around, false);
    clear();
    lines.push("");
  }
  function addText(words: string, around: Around): void {
    if (!around.preformatted) return add(words, false);
    words.split("\n").forEach((piece, index) => {
      if (index > 0) breakLine(around);
      add(piece, true);
    });
  }
  function addElement(node: CleanElement, around: Around): void {
    const { name, attributes, children } = node;
    if (name === "br") return breakLine(around);
    if (name === "img") return add(attributes["alt"] ? `[image: ${attributes["alt"]}]` : "[image]", false);
    if (name === "hr") {
      end(around, false);
      add("---", true);
      return end(around, false);
    }
    const flow = flowOf(node);
    const block = flow === "block";
    const inner: Around = {
      quotes: around.quotes + (name === "blockquote" ? 1 : 0),
      items: around.items + (name === "ul" || name === "ol" ? 1 : 0),
      preformatted: around.preformatted || name === "pre",
    };
    if (block) end(around, SPACED.has(name) && around.items === 0);
    if (name === "sup" || name === "sub") add(name === "sup" ? "^" : "_", true);
    addAll(node, inner);
    const href = attributes["href"];
    if (href !== undefined && !isShownBy(wordsIn(children), href)) add(` <${href}>`, true);
    if (block) end(inner, SPACED.has(name) && around.items === 0);
  }
  function addAll(
    { name, attributes, children }: Pick<CleanElement, "name" | "attributes" | "children">,
    around: Around,
  ): void {
    let number = Number(attributes["start"] ?? 1);
    for (const child of children) {
      if (typeof child === "string") {
        addText(child, around);
        continue;
      }
      if (child.name === "li") marker = name === "ol" ? `${number++}. ` : "- ";
      if (flowOf(child) === "cell" && inked) add(" | ", true);
      addElement(child, around);
      if (child.name === "li") marker = "";
    }
  }

  const plain: Around = { quotes: 0, items: 0, preformatted: false };
  addAll({ name: "#root", attributes: {}, children: [...nodes] }, plain);
  end(plain, false);
  return lines.join("\n").trim();
}

/** Whether a link's own words say where it leads. */
const isShownBy = (words: string, href: string): boolean =>
  [href, href.replace(/\/$/, ""), href.replace(/^(?:mailto|tel):/, "")].includes(words.trim());
