import { readColor } from "./colors.ts";

const MAX_SPACE_PX = 48;
const MAX_BORDER_PX = 8;
const MAX_WIDTH_PX = 1_200;
const MIN_WIDTH_PX = 40;

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
  const [, digits = "", unit = ""] = /^(\d{1,4}(?:\.\d{1,4})?|\.\d{1,4})(px|pt|em|rem)?$/.exec(value) ?? [];
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

/** One to four margins or paddings in pixels, none of them negative or large. */
export function readSpaces(value: string, em: number, auto: boolean): string | undefined {
  const parts = value.split(/\s+/);
  if (parts.length > 4) return undefined;
  const read = parts.map((part) => {
    if (part === "auto") return auto ? part : undefined;
    const length = readLength(part, em);
    return length === undefined || length > MAX_SPACE_PX ? undefined : pixels(length);
  });
  return read.includes(undefined) ? undefined : read.join(" ");
}

/** A width in pixels or per cent, within what leaves its text legible. */
export function readWidth(value: string, em: number): string | undefined {
  const percent = Number(/^(\d{1,3})%$/.exec(value)?.[1] ?? 0);
  if (percent >= 10 && percent <= 100) return `${percent}%`;
  const length = readLength(value, em);
  if (length === undefined || length < MIN_WIDTH_PX || length > MAX_WIDTH_PX) return undefined;
  return pixels(length);
}

/** A border's width, style and colour, in any order. */
export function readBorder(value: string, em: number): string | undefined {
  if (value === "none" || value === "0" || value === "0px") return "0";
  let width = "1px";
  let style: string | undefined;
  let color = "";
  for (const part of value.replace(/\s*,\s*/g, ",").split(/\s+/)) {
    const length = readLength(part, em);
    const read = readColor(part);
    if (length !== undefined && length <= MAX_BORDER_PX) width = pixels(length);
    else if (/^(?:solid|dashed|dotted|double)$/.test(part)) style = part;
    else if (read !== undefined) color = read;
    else return undefined;
  }
  return style === undefined ? undefined : `${width} ${style}${color === "" ? "" : ` ${color}`}`;
}

/** The radius of corners. */
export function readRadius(value: string, em: number): string | undefined {
  const length = readLength(value, em);
  return length === undefined || length > MAX_SPACE_PX ? undefined : pixels(length);
}

/** A number of pixels as CSS. */
export const pixels = (number: number): string => (number === 0 ? "0" : `${number}px`);

const rounded = (number: number): number => Math.round(number * 100) / 100;
