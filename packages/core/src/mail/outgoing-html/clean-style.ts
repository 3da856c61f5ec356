import { type Color, isReadable, readableOn, readColor } from "./colors.ts";
import {
  pixels,
  readBorder,
  readFontSize,
  readFonts,
  readLength,
  readRadius,
  readSpaces,
  readWidth,
} from "./style-values.ts";

const MAX_STYLE_CHARS = 4_000;
const MIN_FONT_PX = 9;
const MAX_FONT_PX = 72;
/** Margins and paddings on the way from the page to a text, in pixels: more would push it out of sight. */
const MAX_INDENT_PX = 320;

/** The effective look of a text: its colours, which are always readable, and its size in pixels. */
export interface Look {
  color: Color;
  background: Color;
  font_px: number;
  /** The left and right spaces so far. */
  indent_px: number;
}

/** How a mail looks before it declares anything. */
export const PLAIN_LOOK: Look = { color: "#000000", background: "#ffffff", font_px: 16, indent_px: 0 };

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
/** The colour of links in browsers (HTML, "15.3.3 Flow content"). It is declared, so that visited ones have it too. */
const LINK_COLOR: Color = "#0000ee";

/** What remains of an element's style: its declarations, the look inside, and whether any was dropped. */
export interface CleanStyle {
  declarations: Map<string, string>;
  look: Look;
  dropped: boolean;
}

/** The size of an element's text when nothing is declared; undefined when it would be too small or large. */
export function naturalSize(name: string, around: Look): number | undefined {
  const size = Math.round(around.font_px * (RELATIVE_SIZES[name] ?? 1) * 100) / 100;
  return size < MIN_FONT_PX || size > MAX_FONT_PX ? undefined : size;
}

/**
 * Keeps the allowed declarations of an element: colour, font, margin, padding, border, width and text-align,
 * with values that can't hide, move or cover text. Colours are kept in readable pairs. `declared` is CSS;
 * what comes later wins.
 */
export function cleanStyle(name: string, link: boolean, declared: string, around: Look): CleanStyle {
  const natural = naturalSize(name, around) ?? around.font_px;
  if (declared === "" && !link)
    return {
      declarations: new Map(),
      look: natural === around.font_px ? around : { ...around, font_px: natural },
      dropped: false,
    };
  const entries = declarationsOf(declared);
  const size = fontSizeOf(entries, around);
  const font_px = size ?? natural;
  const kept = new Map<string, string>();
  let dropped = declared.length > MAX_STYLE_CHARS;
  for (const [property, value] of entries) {
    if (property === "color" || property === "background-color" || property === "background") continue;
    const clean = property === "font-size" ? sizeText(size) : valueOf(property, value, font_px);
    if (clean === undefined) dropped = true;
    else kept.set(property, clean);
  }
  const indent_px = around.indent_px + indentOf(kept);
  const fits = indent_px <= MAX_INDENT_PX;
  if (!fits)
    for (const property of kept.keys()) if (/^(?:margin|padding)/.test(property)) kept.delete(property);
  const colors = colorsOf(entries, link, around);
  for (const [property, value] of colors.declarations) kept.set(property, value);
  return {
    declarations: kept,
    look: {
      color: colors.color,
      background: colors.background,
      font_px,
      indent_px: fits ? indent_px : around.indent_px,
    },
    dropped: dropped || !fits || colors.dropped,
  };
}

/**
 * What a table has to declare because browsers don't pass it on from outside in mail without a doctype
 * (HTML, "15.3.10 Tables").
 */
export function tableDefaults({ color, font_px }: Look): [string, string][] {
  const size = font_px === PLAIN_LOOK.font_px ? [] : [["font-size", pixels(font_px)] as [string, string]];
  return color === PLAIN_LOOK.color ? size : [["color", color], ...size];
}

/** The declarations as CSS, by name: so shorthands come before what they are short for. */
export const styleText = (declarations: ReadonlyMap<string, string>): string =>
  [...declarations]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([property, value]) => `${property}:${value}`)
    .join(";");

/** Declared properties in lower case; a later one replaces an earlier one of the same name. */
function declarationsOf(style: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const declaration of style.slice(0, MAX_STYLE_CHARS).toLowerCase().split(";")) {
    const colon = declaration.indexOf(":");
    if (colon < 0) continue;
    const property = declaration.slice(0, colon).trim();
    entries.delete(property);
    const value = declaration
      .slice(colon + 1)
      .trim()
      .replace(/\s*!\s*important$/, "");
    entries.set(property, value);
  }
  return entries;
}

function fontSizeOf(entries: ReadonlyMap<string, string>, around: Look): number | undefined {
  const size = readFontSize(entries.get("font-size") ?? "", around.font_px);
  return size === undefined || size < MIN_FONT_PX || size > MAX_FONT_PX ? undefined : size;
}

const sizeText = (size: number | undefined): string | undefined =>
  size === undefined ? undefined : pixels(size);

function valueOf(property: string, value: string, em: number): string | undefined {
  switch (property) {
    case "font-family":
      return readFonts(value);
    case "font-style":
      return /^(?:normal|italic)$/.test(value) ? value : undefined;
    case "font-weight":
      return /^(?:normal|bold|[1-9]00)$/.test(value) ? value : undefined;
    case "text-align":
      return /^(?:left|right|center|justify)$/.test(value) ? value : undefined;
    case "width":
    case "max-width":
      return readWidth(value, em);
    case "border-radius":
      return readRadius(value, em);
    default:
      return boxValueOf(property, value, em);
  }
}

function boxValueOf(property: string, value: string, em: number): string | undefined {
  const [, box, side] = /^(margin|padding|border)(-(?:top|right|bottom|left))?$/.exec(property) ?? [];
  if (box === undefined) return undefined;
  if (box === "border") return readBorder(value, em);
  if (side !== undefined && value.includes(" ")) return undefined;
  return readSpaces(value, em, box === "margin");
}

/** The larger of the left and right spaces that the declarations ask for, in pixels, both boxes added. */
function indentOf(kept: ReadonlyMap<string, string>): number {
  const wide = (property: string): number => {
    const [top = "0", right = top, , left = right] = (kept.get(property) ?? "0").split(" ");
    const sides = [left, right, kept.get(`${property}-left`) ?? "0", kept.get(`${property}-right`) ?? "0"];
    return Math.max(...sides.map((side) => readLength(side, 16) ?? 0));
  };
  return wide("margin") + wide("padding");
}

/** The colours inside an element, and those it has to declare so that its text can be read. */
function colorsOf(
  entries: ReadonlyMap<string, string>,
  link: boolean,
  around: Look,
): Pick<Look, "color" | "background"> & Pick<CleanStyle, "declarations" | "dropped"> {
  const given = entries.get("background-color") ?? entries.get("background");
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

/** The colour of a background, also where it is given with an image. */
const surfaceOf = (value: string): Color | undefined =>
  readColor(value) ??
  value
    .split(/\s+/)
    .map(readColor)
    .find((color) => color !== undefined);
