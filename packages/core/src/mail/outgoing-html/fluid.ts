import type { CleanElement, CleanNode } from "./clean-tree.ts";
import { MAX_WIDTH_PX, pixels } from "./style-values.ts";

/** Widths up to this are left as they are: two of them fit beside each other on a phone. */
const MAX_FIXED_PX = 160;
const BLOCKS_WITH_WIDTH: ReadonlySet<string> = new Set("blockquote div h1 h2 h3 h4 h5 h6 p".split(" "));

/**
 * Lets boxes of a fixed width be narrower where the screen is: the width becomes the most that they take. A table or
 * cell that had its width from a box inside it gets that width itself.
 */
export function makeFluid(nodes: readonly CleanNode[]): void {
  for (const node of nodes) if (typeof node !== "string") settle(node);
}

/** The width that an element asks for. */
interface Wish {
  /** Its width in pixels; 0 if it asks for none. */
  width: number;
  /** Whether words in it take as much room as they get. */
  loose: boolean;
}

function settle(element: CleanElement): Wish {
  const { name, children } = element;
  const wishes = children.map((child): Wish => {
    if (typeof child !== "string") return settle(child);
    return { width: 0, loose: child.trim() !== "" };
  });
  if (name === "tr") return settleRow(children.filter(isElement), wishes);
  const wish = {
    width: Math.max(0, ...wishes.map(({ width }) => width)),
    loose: wishes.some(({ loose }) => loose),
  };
  const inner = wish.width === 0 ? 0 : wish.width + paddingOf(element);
  const own = widthOf(element);
  if (name === "td")
    return own === 0 ? { ...wish, width: inner } : { width: Math.max(own, inner), loose: false };
  if (name === "table") return settleTable(element, own, { ...wish, width: inner });
  if (own === 0) return { ...wish, width: inner };
  if (own > MAX_FIXED_PX) settleBox(element, own);
  const outside = element.style?.get("box-sizing") === "border-box" ? 0 : paddingOf(element);
  return { width: own + outside, loose: false };
}

function settleBox(element: CleanElement, own: number): void {
  const { name, style } = element;
  if (name === "img") style?.set("max-width", "100%");
  else if (style?.get("display") === "inline-block") {
    limit(element, own + (style.get("box-sizing") === "border-box" ? 0 : paddingOf(element)));
    style.set("box-sizing", "border-box");
  } else if (BLOCKS_WITH_WIDTH.has(name)) {
    limit(element, own);
    style?.delete("width");
  }
}

function settleRow(cells: readonly CleanElement[], wishes: readonly Wish[]): Wish {
  if (cells.length > 1)
    cells.forEach((cell, at) => {
      const { width = 0, loose = true } = wishes[at] ?? {};
      if (width === 0 || loose || cell.style?.has("width") || cell.attributes["colspan"] !== undefined)
        return;
      cell.style = new Map([
        ...(cell.style ?? []),
        ["box-sizing", "border-box"],
        ["width", boundedPx(width)],
      ]);
    });
  return {
    width: wishes.reduce((sum, { width }) => sum + width, 0),
    loose: wishes.some(({ loose }) => loose),
  };
}

function settleTable(element: CleanElement, own: number, inner: Wish): Wish {
  if (own > MAX_FIXED_PX) limit(element, own);
  else if (own === 0 && !inner.loose && inner.width > MAX_FIXED_PX && !element.style?.has("width"))
    limit(element, inner.width);
  return own > 0 ? { width: own, loose: false } : inner;
}

function limit(element: CleanElement, width: number): void {
  element.style ??= new Map();
  const most = pxOf(element.style.get("max-width"));
  element.style.set("max-width", boundedPx(most === 0 ? width : Math.min(most, width)));
  element.style.set("width", "100%");
}

const boundedPx = (width: number): string => pixels(Math.min(MAX_WIDTH_PX, Math.round(width * 100) / 100));

const widthOf = ({ style }: CleanElement): number => pxOf(style?.get("width"));

const paddingOf = ({ style }: CleanElement): number =>
  pxOf(style?.get("padding-left")) + pxOf(style?.get("padding-right"));

const pxOf = (value = ""): number => Number(/^(\d{1,5}(?:\.\d{1,4})?)px$/.exec(value)?.[1] ?? 0);

const isElement = (node: CleanNode): node is CleanElement => typeof node !== "string";
