import { type Color, isReadable, readableOn, readColor } from "./colors.ts";
import {
  type Line,
  NORMAL_LINE,
  pixels,
  readBorder,
  readFontSize,
  readFonts,
  readHeight,
  readLength,
  readLine,
  readRadius,
  readSpace,
  readWidth,
} from "./style-values.ts";

const MIN_FONT_PX = 9;
const MAX_FONT_PX = 72;
/**
 * The most that margins and paddings may add up to from the page to a text, in pixels: more would push it out of sight.
 */
const MAX_INDENT_PX = 320;
/** The least that widths in per cent, one within the other, leave of the page. */
const MIN_SHARE = 0.1;
/** Cells grow with their words, but for one in which words may break. */
const MIN_CELL_PX = 20;

/** The effective look of a text: its colours, which are always readable, and its size in pixels. */
export interface Look {
  color: Color;
  background: Color;
  font_px: number;
  /** The total left and right space so far. */
  indent_px: number;
  /** What widths in per cent leave of the page so far, as a fraction. */
  share: number;
  line: Line;
}

/** The look of a mail that declares nothing. */
export const PLAIN_LOOK: Look = {
  color: "#000000",
  background: "#ffffff",
  font_px: 16,
  indent_px: 0,
  share: 1,
  line: NORMAL_LINE,
};

/** The sizes that browsers give to elements, relative to the text around them. */
const RELATIVE_SIZES: Readonly<Record<string, number>> = {
  h1: 2,
  h2: 1.5,
  h3: 1.17,
  h5: 0.83,
  h6: 0.67,
  small: 0.8,
  sub: 0.8,
  sup: 0.8,
};
/** The colour of links in browsers (HTML, "15.3.3 Flow content"). It is declared so that visited links have it too. */
const LINK_COLOR: Color = "#0000ee";

/** The rest of an element's style: its declarations, the look inside, and whether any was dropped. */
export interface CleanStyle {
  declarations: Map<string, string>;
  look: Look;
  dropped: boolean;
}

/** Returns the size of an element's text when nothing is declared; undefined when it would be too small or large. */
export function naturalSize(name: string, around: Look): number | undefined {
  const size = Math.round(around.font_px * (RELATIVE_SIZES[name] ?? 1) * 100) / 100;
  return size < MIN_FONT_PX || size > MAX_FONT_PX ? undefined : size;
}

/** The element that a style is for. */
export interface Styled {
  name: string;
  link: boolean;
  /** Whether it may have words or images in it. Lines and widths of an element without them can be of any size. */
  inked: boolean;
}

/**
 * Keeps the allowed declarations of an element: colour, font, margin, padding, border, size, alignment, and display as
 * a block, with values that can't hide, move or cover text. Colours are kept in readable pairs, lines apart from each
 * other.
 */
export function cleanStyle(element: Styled, declared: ReadonlyMap<string, string>, around: Look): CleanStyle {
  const natural = naturalSize(element.name, around) ?? around.font_px;
  if (declared.size === 0 && !element.link && natural === around.font_px)
    return { declarations: new Map(), look: around, dropped: false };
  const size = fontSizeOf(declared, around);
  const font_px = size ?? natural;
  const kept = new Map<string, string>();
  let dropped = false;
  for (const [property, value] of declared) {
    if (OWN_WAY.has(property)) continue;
    const clean = boxOf(property, value, font_px, element);
    if (clean === undefined) dropped = true;
    else if (clean !== "") kept.set(property, clean);
  }
  const written = size ?? (element.inked ? undefined : readFontSize(declared.get("font-size") ?? "", 16));
  if (written !== undefined && written <= MAX_FONT_PX) kept.set("font-size", pixels(written));
  else if (declared.has("font-size")) dropped = true;
  const line = lineOf(declared, font_px, element, around);
  if (line.declared !== undefined) kept.set("line-height", line.declared);
  const spaces = withinPage(element, kept, around);
  withFittingWidth(element, kept);
  const colors = colorsOf(declared, element.link, around);
  for (const [property, value] of colors.declarations) kept.set(property, value);
  return {
    declarations: kept,
    look: { ...spaces.look, color: colors.color, background: colors.background, font_px, line: line.inside },
    dropped: dropped || line.dropped || spaces.dropped || colors.dropped,
  };
}

/** Properties whose values depend on what is around the element. */
const OWN_WAY: ReadonlySet<string> = new Set(["color", "background-color", "font-size", "line-height"]);

/** Drops what would push text out of sight, or leave no room for it, together with all that is around it. */
function withinPage(
  { name }: Styled,
  kept: Map<string, string>,
  around: Look,
): { look: Look; dropped: boolean } {
  let dropped = false;
  let indent_px = around.indent_px + indentOf(kept);
  if (indent_px > MAX_INDENT_PX) {
    for (const property of kept.keys())
      if (/^(?:margin|padding|border-(?:left|right|spacing))/.test(property)) kept.delete(property);
    indent_px = around.indent_px;
    dropped = true;
  }
  // A cell is never narrower than its words.
  const percent = name === "td" ? 100 : Number(/^([\d.]{1,9})%$/.exec(kept.get("width") ?? "")?.[1] ?? 100);
  let share = (around.share * percent) / 100;
  if (share < MIN_SHARE && percent < 100) {
    kept.delete("width");
    share = around.share;
    dropped = true;
  }
  return { look: { ...around, indent_px, share }, dropped };
}

/** A width that holds the padding, too, must leave as much room as one that doesn't. */
function withFittingWidth({ name, inked }: Styled, kept: Map<string, string>): void {
  if (kept.get("box-sizing") !== "border-box" || name === "td" || !inked) return;
  const padding = ["padding-left", "padding-right"].reduce((sum, side) => sum + lengthOf(kept.get(side)), 0);
  for (const property of ["width", "max-width"]) {
    const value = kept.get(property) ?? "100%";
    if (value === "100%") continue;
    if (readWidth(pixels(lengthOf(value) - padding), 16) === undefined) kept.delete("box-sizing");
  }
}

const lengthOf = (value = "0"): number => readLength(value, 16) ?? 0;

/** The height of lines inside an element, and what it must declare so that they don't overlap. */
function lineOf(
  declared: ReadonlyMap<string, string>,
  font_px: number,
  { inked }: Styled,
  around: Look,
): { inside: Line; declared: string | undefined; dropped: boolean } {
  const wanted = declared.get("line-height");
  const read = wanted === undefined ? undefined : readLine(wanted, font_px, inked ? 1 : 0);
  const line = read ?? around.line;
  const fits = !inked || line.px === undefined || line.px >= font_px;
  const inside = fits ? line : NORMAL_LINE;
  return {
    // What is in an element without words stays without words.
    inside: inked ? inside : around.line,
    declared: read !== undefined || !fits ? inside.text : undefined,
    dropped: wanted !== undefined && read === undefined,
  };
}

/**
 * Returns the styles that a table must declare because, without a doctype, browsers don't let it inherit them (HTML,
 * "15.3.10 Tables").
 */
export function tableDefaults({ color, font_px }: Look): [string, string][] {
  const size = font_px === PLAIN_LOOK.font_px ? [] : [["font-size", pixels(font_px)] as [string, string]];
  return color === PLAIN_LOOK.color ? size : [["color", color], ...size];
}

function fontSizeOf(entries: ReadonlyMap<string, string>, around: Look): number | undefined {
  const size = readFontSize(entries.get("font-size") ?? "", around.font_px);
  return size === undefined || size < MIN_FONT_PX || size > MAX_FONT_PX ? undefined : size;
}

/** The value of a property that depends on nothing around the element; empty if it makes no difference. */
function boxOf(property: string, value: string, em: number, element: Styled): string | undefined {
  switch (property) {
    case "font-family":
      return readFonts(value);
    case "font-style":
      return /^(?:normal|italic)$/.test(value) ? value : undefined;
    case "font-weight":
      return /^(?:normal|bold|[1-9]00)$/.test(value) ? value : undefined;
    case "text-align":
      return /^(?:-webkit-)?(left|right|center|justify)$/.exec(value)?.[1];
    case "text-decoration":
      return /^(?:none|underline)$/.test(value) ? value : undefined;
    case "display":
      return displayOf(value, element.name);
    case "vertical-align":
      return /^(?:top|middle|bottom|baseline)$/.test(value) ? besideOthers(value, element.name) : undefined;
    case "box-sizing":
      return /^(?:border-box|content-box)$/.test(value) ? value : undefined;
    case "overflow-wrap":
      // Added again where it is needed.
      return value === "anywhere" ? "" : undefined;
    case "border-collapse":
      return /^(?:collapse|separate)$/.test(value) ? onTables(value, element.name) : undefined;
    default:
      return sizeOf(property, value, em, element);
  }
}

function sizeOf(property: string, value: string, em: number, { name, inked }: Styled): string | undefined {
  if (property === "width" || property === "max-width") {
    if (value === "auto" || value === "none") return "";
    if (!inked) return readWidth(value, em, 0);
    // A cell is never narrower than its words.
    return readWidth(value, em, name === "td" && property === "width" ? MIN_CELL_PX : undefined);
  }
  if (property === "height") {
    if (value === "auto") return "";
    // A cell is never lower than its words.
    return name === "td" || !inked ? readHeight(value, em) : undefined;
  }
  if (property === "border-spacing") return onTables(readSpace(value.split(" ")[0] ?? "", em, false), name);
  if (property === "border-radius") return readRadius(value, em);
  const [, box] = /^(margin|padding|border)-(?:top|right|bottom|left)$/.exec(property) ?? [];
  if (box === undefined) return undefined;
  return box === "border" ? readBorder(value, em) : readSpace(value, em, box === "margin");
}

const INLINE: ReadonlySet<string> = new Set("a b code em i img small span strong sub sup u".split(" "));
const CELLS: Readonly<Record<string, string>> = {
  table: "table",
  tr: "table-row",
  td: "table-cell",
  li: "list-item",
};

function displayOf(value: string, name: string): string | undefined {
  const natural = CELLS[name] ?? (INLINE.has(name) ? "inline" : "block");
  if (value === natural) return "";
  if (natural === "inline" || natural === "block" || (name === "td" && value === "block")) {
    if (value === "block" || value === "inline-block") return value;
    if (value === "table" && natural === "block") return value;
  }
  return undefined;
}

const besideOthers = (value: string, name: string): string =>
  /^(?:td|tr|img|div|span|a)$/.test(name) ? value : "";

const onTables = (value: string | undefined, name: string): string | undefined =>
  name === "table" ? value : "";

const INDENTING =
  "margin-left margin-right padding-left padding-right border-left border-right border-spacing border-spacing".split(
    " ",
  );

/** Returns the left and right space that the declarations add, in pixels. */
const indentOf = (kept: ReadonlyMap<string, string>): number =>
  INDENTING.reduce((sum, property) => sum + lengthOf(kept.get(property)?.split(" ")[0]), 0);

/** Returns the colours inside an element, and those that it must declare to keep its text readable. */
function colorsOf(
  entries: ReadonlyMap<string, string>,
  link: boolean,
  around: Look,
): Pick<Look, "color" | "background"> & Pick<CleanStyle, "declarations" | "dropped"> {
  const given = noColor(entries.get("background-color"));
  const surface = given === undefined ? undefined : surfaceOf(given);
  const background = surface ?? around.background;
  const wanted = entries.get("color");
  const read = wanted === undefined ? undefined : readColor(wanted);
  const fits = read !== undefined && isReadable(read, background);
  const natural = link ? LINK_COLOR : around.color;
  const inherited = isReadable(natural, background) ? natural : readableOn(background);
  const color = fits ? read : inherited;
  const needed = link || fits || color !== around.color;
  return {
    color,
    background,
    declarations: new Map([
      ...(surface === undefined ? [] : [["background-color", surface] as const]),
      ...(needed ? [["color", color] as const] : []),
    ]),
    dropped: (given !== undefined && surface === undefined) || (wanted !== undefined && !fits),
  };
}

const noColor = (value: string | undefined): string | undefined =>
  value === "transparent" || value === "none" ? undefined : value;

/** Returns the colour of a background, even if an image is given with it. */
const surfaceOf = (value: string): Color | undefined =>
  readColor(value) ??
  value
    .split(/\s+/)
    .map(readColor)
    .find((color) => color !== undefined);
