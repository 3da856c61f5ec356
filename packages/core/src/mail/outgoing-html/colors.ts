/** A colour as #rrggbb. */
export type Color = string;

/** The lowest contrast (WCAG 2, 1 to 21) at which a text counts as readable. */
export const MIN_CONTRAST = 2;

const NAMES: Readonly<Record<string, Color>> = {
  black: "#000000",
  blue: "#0000ff",
  brown: "#a52a2a",
  crimson: "#dc143c",
  darkblue: "#00008b",
  darkgray: "#a9a9a9",
  darkgreen: "#006400",
  darkgrey: "#a9a9a9",
  darkred: "#8b0000",
  gold: "#ffd700",
  gray: "#808080",
  green: "#008000",
  grey: "#808080",
  lightblue: "#add8e6",
  lightgray: "#d3d3d3",
  lightgreen: "#90ee90",
  lightgrey: "#d3d3d3",
  lightyellow: "#ffffe0",
  lime: "#00ff00",
  maroon: "#800000",
  navy: "#000080",
  olive: "#808000",
  orange: "#ffa500",
  pink: "#ffc0cb",
  purple: "#800080",
  red: "#ff0000",
  silver: "#c0c0c0",
  teal: "#008080",
  tomato: "#ff6347",
  white: "#ffffff",
  whitesmoke: "#f5f5f5",
  yellow: "#ffff00",
};

const CHANNEL = String.raw`\s{0,9}(\d{1,3}(?:\.\d{1,12})?)\s{0,9}`;
const RGB = new RegExp(`^rgb\\(${CHANNEL},${CHANNEL},${CHANNEL}\\)$`);

/** Reads an opaque CSS colour: a common name, #rgb, #rrggbb or rgb(). Undefined for anything else. */
export function readColor(value: string): Color | undefined {
  const color = value.trim().toLowerCase();
  if (Object.hasOwn(NAMES, color)) return NAMES[color];
  if (/^#[0-9a-f]{6}$/.test(color)) return color;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(color);
  if (short !== null)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join("")}`;
  const parts = RGB.exec(color);
  if (parts === null) return undefined;
  const channels = parts.slice(1).map((part) => Math.round(Number(part)));
  if (channels.some((channel) => channel > 255)) return undefined;
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** The contrast of two colours, from 1 to 21 (WCAG 2, "contrast ratio"). */
export function contrastOf(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Whether text of one colour can be read on the other. */
export const isReadable = (color: Color, background: Color): boolean =>
  contrastOf(color, background) >= MIN_CONTRAST;

/** Black or white, whichever is easier to read on a background. */
export const readableOn = (background: Color): Color =>
  contrastOf("#000000", background) >= contrastOf("#ffffff", background) ? "#000000" : "#ffffff";

function luminanceOf(color: Color): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
