import type { CleanElement, CleanNode } from "./clean-tree.ts";
import { holdsBlock } from "./clean-tree.ts";
import { MAX_SPACE_PX, pixels, readLength } from "./style-values.ts";

/** The width of a narrow screen, in pixels. */
const NARROW_PX = 380;
const WIDE_PX = 1_280;
/** The width of most letters, as a share of the font's size, in a wide font. */
const LETTER = 0.62;
/** The least that is left for the words of a box. */
const MIN_BOX_PX = 44;

/** The font and the room that an element has on a narrow screen. */
interface Room {
  font_px: number;
  px: number;
  /** The room on a wide screen. */
  wide_px: number;
}

/** The room that each element has and needs on a narrow screen. */
type Measures = Map<CleanElement, { room: Room; least: number }>;

/**
 * Makes room on narrow screens: a row of columns that don't fit beside each other becomes boxes that wrap, and where
 * a single word doesn't fit, or several rows depend on each other, words may break.
 */
export function fitNarrow(nodes: readonly CleanNode[]): void {
  const measures: Measures = new Map();
  const page: Room = { font_px: 16, px: NARROW_PX, wide_px: WIDE_PX };
  for (const node of nodes) {
    if (typeof node === "string") continue;
    measure(node, page, measures);
    fitInto(node, page, measures);
  }
}

function fitInto(element: CleanElement, around: Room, measures: Measures): void {
  const { room, least } = measures.get(element) ?? measure(element, around, measures);
  if (least > around.px) {
    if (element.name === "table") fitTable(element, room, measures);
    else if (hasLongWord(element, room)) breakWords(element);
  }
  for (const child of element.children) if (typeof child !== "string") fitInto(child, room, measures);
}

const hasLongWord = ({ children }: CleanElement, { font_px, px }: Room): boolean =>
  children.some((child) => typeof child === "string" && wordWidth(child, font_px) > px);

function fitTable(table: CleanElement, room: Room, measures: Measures): void {
  const rows = table.children.flatMap((body) =>
    typeof body === "string" ? [] : body.children.filter(isElement),
  );
  const wide = rows.filter((row) => row.children.filter(isElement).length > 1);
  const [only] = wide;
  if (only === undefined || (measures.get(only)?.least ?? 0) <= room.px) return;
  const cells = only.children.filter(isElement);
  if (wide.length > 1 || !cells.every(canWrap)) return breakWords(table);
  const least = cells.map((cell) => measures.get(cell)?.least ?? 0);
  const widths = table.style?.get("width") === "100%" ? columnsOf(only, room, least) : cells.map(widthOf);
  if (widths.some((width) => width > 0 && width < MIN_BOX_PX + 2 * MAX_SPACE_PX)) return breakWords(table);
  const boxes = cells.flatMap((cell, at) => {
    const box = wrapping(cell, widths[at] ?? 0);
    return at > 0 && !box.style?.has("max-width") ? [" ", box] : [box];
  });
  only.children = [{ name: "td", attributes: {}, style: cellStyle(), children: boxes }];
  measure(only, room, measures);
}

const cellStyle = (): Map<string, string> =>
  new Map(["top", "right", "bottom", "left"].map((side) => [`padding-${side}`, "0"]));

/** Boxes without a width flow as words do, which blocks in them wouldn't. */
function canWrap({ style, attributes, children }: CleanElement): boolean {
  if (attributes["colspan"] !== undefined) return false;
  const width = style?.get("width");
  if (width === undefined) return !holdsBlock(children);
  return pxOf(width) - pxOf(style?.get("padding-left")) - pxOf(style?.get("padding-right")) >= MIN_BOX_PX;
}

/** A cell as a box that goes to the next line where there is no room beside the others. */
function wrapping({ attributes, style, children }: CleanElement, wide_px: number): CleanElement {
  const kept = new Map(style);
  const padding = kept.get("padding-left") === undefined ? 2 : 0;
  for (const property of kept.keys())
    if (/^(?:height|max-width|margin-.*)$/.test(property)) kept.delete(property);
  if (padding > 0) for (const side of ["top", "right", "bottom", "left"]) kept.set(`padding-${side}`, "1px");
  kept.set("display", "inline-block");
  kept.set("vertical-align", kept.get("vertical-align") ?? "middle");
  if (wide_px > 0) {
    kept.set("max-width", pixels(wide_px));
    kept.set("width", "100%");
    kept.set("box-sizing", "border-box");
  }
  return { name: "div", attributes, style: kept, children };
}

/**
 * The widths of the cells of a row that is as wide as the room on a wide screen, as browsers share it out: by the cells'
 * own widths, but none is narrower than its words. 0 for cells that have none.
 */
function columnsOf(row: CleanElement, { wide_px }: Room, least: readonly number[]): number[] {
  const own = row.children.filter(isElement).map(widthOf);
  if (wide_px >= WIDE_PX || own.includes(0)) return own;
  const share = (width: number, of: readonly number[], px: number) => (px * width) / of.reduce(sum, 0);
  const short = own.map((width, at) => (least[at] ?? 0) > share(width, own, wide_px));
  const rest_px = least.filter((_, at) => short[at]).reduce((px, width) => px - width, wide_px);
  const others = own.filter((_, at) => !short[at]);
  return own.map((width, at) =>
    Math.floor(short[at] ? (least[at] ?? 0) : share(width, others, Math.max(rest_px, 0))),
  );
}

const sum = (one: number, other: number): number => one + other;

const widthOf = ({ style }: CleanElement): number => pxOf(style?.get("width"));

function breakWords(element: CleanElement): void {
  element.style ??= new Map();
  element.style.set("overflow-wrap", "anywhere");
}

/** Notes for an element, and all in it, the room that it has and the least width that its words need. */
function measure(element: CleanElement, around: Room, measures: Measures): { room: Room; least: number } {
  const room = roomIn(element, around);
  const columns = element.name === "tr" ? columnsOf(element, room, []) : [];
  const widths = element.children.map((child, at) => {
    if (typeof child === "string") return wordWidth(child, room.font_px);
    return measure(child, { ...room, wide_px: columns[at] || room.wide_px }, measures).least;
  });
  const inner = element.name === "tr" ? widths.reduce(sum, 0) : Math.max(0, ...widths);
  const measured = { room, least: inner + around.px - room.px };
  measures.set(element, measured);
  return measured;
}

function roomIn({ name, style }: CleanElement, { font_px, px, wide_px }: Room): Room {
  if (style === undefined) return { font_px, px, wide_px };
  const spaces = ["padding-left", "padding-right", "margin-left", "margin-right"]
    .filter((side) => name !== "td" || side.startsWith("padding"))
    .map((side) => pxOf(style.get(side)))
    .concat(["border-left", "border-right"].map((side) => pxOf(style.get(side)?.split(" ")[0])))
    .reduce(sum, 0);
  return {
    font_px: pxOf(style.get("font-size")) || font_px,
    px: px - spaces,
    wide_px: Math.min(wide_px, pxOf(style.get("max-width")) || wide_px) - spaces,
  };
}

/** The width of the widest word, in a wide font. */
function wordWidth(text: string, font_px: number): number {
  let widest = 0;
  for (const [word] of text.matchAll(/[^ \n\t]+/g)) {
    if (word.length <= widest) continue;
    const narrow = word.match(/[fijlrt.,:;'|!()[\]/-]/g)?.length ?? 0;
    const capital = word.match(/[A-Z]/g)?.length ?? 0;
    const wide = word.match(/[mwMW@%&]/g)?.length ?? 0;
    widest = Math.max(widest, word.length * LETTER - narrow * 0.27 + capital * 0.1 + wide * 0.36);
  }
  return widest * font_px;
}

const pxOf = (value = ""): number => readLength(value, 16) ?? 0;

const isElement = (node: CleanNode): node is CleanElement => typeof node !== "string";
