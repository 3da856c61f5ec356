/** An element of cleaned HTML: its name and attributes are allowed, its children fit into it. */
export interface CleanElement {
  name: string;
  attributes: Record<string, string>;
  style?: Map<string, string>;
  children: CleanNode[];
}

/** A text or an element of cleaned HTML. */
export type CleanNode = string | CleanElement;

/** Elements that begin on a line of their own. */
export const BLOCKS: ReadonlySet<string> = new Set(
  "blockquote div h1 h2 h3 h4 h5 h6 hr li ol p pre table tbody td tr ul".split(" "),
);

/** The words of the nodes, without markup. */
export function wordsIn(nodes: readonly CleanNode[]): string {
  return nodes.map((node) => (typeof node === "string" ? node : wordsIn(node.children))).join("");
}

/** Whether a reader sees anything: a word or an image. */
export function showsSomething(nodes: readonly CleanNode[]): boolean {
  return nodes.some((node) =>
    typeof node === "string" ? node.trim() !== "" : node.name === "img" || showsSomething(node.children),
  );
}

/** Whether any of the nodes, at any depth, begins a line of its own. */
export function holdsBlock(nodes: readonly CleanNode[]): boolean {
  return nodes.some(
    (node) => typeof node !== "string" && (BLOCKS.has(node.name) || holdsBlock(node.children)),
  );
}

/** How an element takes part in the flow of the text. */
export type Flow = "block" | "cell" | "inline";

/** Returns whether an element stands on lines of its own, beside others with a width of its own, or within a line. */
export function flowOf({ name, style }: CleanElement): Flow {
  const display = style?.get("display");
  if (name === "td") return "cell";
  if (display === "inline-block") return style?.get("width") === undefined ? "inline" : "cell";
  return BLOCKS.has(name) || display !== undefined ? "block" : "inline";
}
