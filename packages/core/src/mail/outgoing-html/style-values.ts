import { readColor } from "./colors.ts";

/** The largest margin or padding. */
export const MAX_SPACE_PX = 48;
const MAX_BORDER_PX = 24;
const MEDIUM_BORDER_PX = 3;
/** The widest box that is kept. */
export const MAX_WIDTH_PX = 1_200;
const MIN_WIDTH_PX = 40;
const MAX_HEIGHT_PX = 400;
/** The most that a line may be higher than its font. */
const MAX_LINE = 4;

/** The height of lines as CSS; in pixels if it is the same for fonts of all sizes. */
export interface Line {
  text: string;
  px: number | undefined;
}

/** The height of lines that a font brings along. */
export const NORMAL_LINE: Line = { text: "normal", px: undefined };

const FONTS: ReadonlySet<string> = new Set(
  `-apple-system,arial,blinkmacsystemfont,calibri,cambria,consolas,courier,courier new,garamond,georgia,helvetica,
helvetica neue,lato,lucida grande,menlo,monaco,monospace,open sans,palatino,roboto,sans-serif,segoe ui,serif,
system-ui,tahoma,times,times new roman,trebuchet ms,ui-monospace,verdana`
    .replaceAll("\n", "")
    .split(","),
);

const SIZE_NAMES: Readonly<Record<string, number>> = {
  small: 13,
  medium: 16,
  large: 18,
  "x-large": 24,
  "x-small": 10,
};

/** A length in pixels, never negative; `em` is the size of the font. Undefined for what isn't one. */
export function readLength(value: string, em: number): number | undefined {
  const [, digits = "", unit = ""] = /^(\d{1,4}(?:\.\d{1,12})?|\.\d{1,4})(px|pt|em|rem)?$/.exec(value) ?? [];
  if (digits === "") return undefined;
  const number = Number(digits);
  if (unit === "") return number === 0 ? 0 : undefined;
  return rounded(number * { px: 1, pt: 4 / 3, em, rem: 16 }[unit as "px" | "pt" | "em" | "rem"]);
}

/** A font size in pixels, given the surrounding one. */
export function readFontSize(value: string, em: number): number | undefined {
  if (Object.hasOwn(SIZE_NAMES, value)) return SIZE_NAMES[value];
  const percent = /^(\d{1,3}(?:\.\d{1,2})?)%$/.exec(value)?.[1];
  return percent === undefined ? readLength(value, em) : rounded((Number(percent) * em) / 100);
}

/** The known fonts of a list: a font of symbols would show other signs than the letters that are written. */
export function readFonts(value: string): string | undefined {
  const known = value
    .split(",")
    .map((name) => name.trim().replace(/^["']|["']$/g, ""))
    .filter((name) => FONTS.has(name));
  if (known.length === 0) return undefined;
  return known.map((name) => (name.includes(" ") ? `'${name}'` : name)).join(",");
}

/** A margin or padding of one side in pixels, neither negative nor large. */
export function readSpace(value: string, em: number, auto: boolean): string | undefined {
  if (value === "auto") return auto ? value : undefined;
  const length = readLength(value, em);
  return length === undefined || length > MAX_SPACE_PX ? undefined : pixels(length);
}

/** A width in pixels or per cent. `least` are the pixels that leave its text legible. */
export function readWidth(value: string, em: number, least = MIN_WIDTH_PX): string | undefined {
  const percent = Number(/^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(value)?.[1] ?? -1);
  if (percent >= Math.min(10, least / 4) && percent <= 100) return `${rounded(percent)}%`;
  const length = readLength(value, em);
  if (length === undefined || length < least || length > MAX_WIDTH_PX) return undefined;
  return pixels(length);
}

/** A height in pixels. */
export function readHeight(value: string, em: number): string | undefined {
  const length = readLength(value, em);
  return length === undefined || length > MAX_HEIGHT_PX ? undefined : pixels(length);
}

/** The height of lines: in pixels, or as a multiple of the font's size. Undefined where lines would overlap. */
export function readLine(value: string, font_px: number, least: number): Line | undefined {
  if (value === "normal") return NORMAL_LINE;
  const times = Number(/^(\d(?:\.\d{1,4})?|\.\d{1,4})$/.exec(value)?.[1] ?? -1);
  if (times >= 0)
    return times >= least && times <= MAX_LINE ? { text: String(times), px: undefined } : undefined;
  const px = readFontSize(value, font_px);
  if (px === undefined || px < least * font_px || px > Math.max(MAX_LINE * font_px, MAX_SPACE_PX))
    return undefined;
  return { text: pixels(px), px };
}

/** A border of one side, given as width, style and colour. */
export function readBorder(value: string, em: number): string | undefined {
  const [given = "", style = "", color = ""] = value.split(" ");
  const width = given === "medium" ? MEDIUM_BORDER_PX : readLength(given, em);
  if (style === "none" || style === "hidden" || width === 0) return "0";
  const read = readColor(color);
  if (width === undefined || width > MAX_BORDER_PX || !/^(?:solid|dashed|dotted|double)$/.test(style))
    return undefined;
  if (read === undefined && color !== "currentcolor") return undefined;
  return `${pixels(width)} ${style}${read === undefined ? "" : ` ${read}`}`;
}

/** The radius of corners. */
export function readRadius(value: string, em: number): string | undefined {
  const length = readLength(value, em);
  return length === undefined || length > MAX_SPACE_PX ? undefined : pixels(length);
}

/** A number of pixels as CSS. */
export const pixels = (number: number): string => (number === 0 ? "0" : `${number}px`);

const rounded = (number: number): number => Math.round(number * 100) / 100;
