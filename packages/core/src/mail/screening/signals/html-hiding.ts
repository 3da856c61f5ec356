import { remembering } from "../engine/remember.ts";

/** The colours of a piece of HTML, as far as declared: names or #rrggbb. */
export interface Paint {
  color: string;
  background: string;
}

const MAX_STYLE_CHARS = 1_000;
const MAX_SHEET_CHARS = 40_000;
/** A rule for a class. */
const RULE = /\.([\w-]{1,60})\s{0,9}\{([^{}]{0,400})\}/g;

/** What a style says of the text in its element; a page repeats a few styles many times. */
interface StyleTold {
  /** Its colours by name; undefined where it declares none. */
  color: string | undefined;
  background: string | undefined;
  /** It draws a picture behind the text. */
  pictured: boolean;
  /** How it hides the text from a human reader; null when it doesn't. */
  hides: string | null;
  sets_size: boolean;
}

/** The most styles that are remembered. */
const MAX_REMEMBERED_STYLES = 1_000;

const readStyle = remembering(MAX_REMEMBERED_STYLES, (style): StyleTold => {
  const [color, background] = [declared(style, COLOR), declared(style, BACKGROUND)];
  return {
    color: color === undefined ? undefined : plainColor(color),
    background: background === undefined ? undefined : plainColor(background),
    pictured: PICTURED.test(style),
    hides: hiddenByStyle(style),
    sets_size: OWN_SIZE.test(style),
  };
});

const NO_STYLE: StyleTold = {
  color: undefined,
  background: undefined,
  pictured: false,
  hides: null,
  sets_size: false,
};
const styleOf = ({ style }: Record<string, string>): StyleTold =>
  style === undefined ? NO_STYLE : readStyle(style.slice(0, MAX_STYLE_CHARS));

/** The colours inside an element, from its own attributes and its parent's colours. */
export function paintOf(
  name: string,
  attributes: Record<string, string>,
  parent: Paint,
  painting: ReadonlySet<string> = new Set(),
): Paint {
  const style = styleOf(attributes);
  const color = style.color ?? plainColorIn(name === "font" ? attributes["color"] : undefined);
  // Neither what a picture shows is known, nor which rules of a style sheet win.
  const pictured =
    attributes["background"] !== undefined ||
    style.pictured ||
    (painting.size > 0 && classesOf(attributes).some((each) => painting.has(each)));
  const background = pictured ? "" : (style.background ?? plainColorIn(attributes["bgcolor"]));
  if (color === undefined && background === undefined) return parent;
  return { color: color ?? parent.color, background: background ?? parent.background };
}

const plainColorIn = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : plainColor(value);

/** Describes for a finding how an element's own attributes hide its text from a human reader; null when they don't. */
export function hidesBy(
  attributes: Record<string, string>,
  paint: Paint,
  hiding: ReadonlyMap<string, string>,
): string | null {
  const { hides } = styleOf(attributes);
  if (hides !== null) return hides;
  if (attributes["hidden"] !== undefined) return HIDDEN;
  if (hiding.size > 0 && attributes["class"] !== undefined) {
    for (const name of classesOf(attributes)) {
      const how = hiding.get(name);
      if (how !== undefined) return how;
    }
  }
  if (paint.color === paint.background && paint.color !== "") return IN_ITS_COLOUR;
  return null;
}

const classesOf = (attributes: Record<string, string>): string[] =>
  (attributes["class"] ?? "").slice(0, MAX_STYLE_CHARS).split(/\s+/);

/** The classes to which a style sheet gives a background. */
export const paintingClasses = (sheet: string): string[] =>
  Array.from(sheet.slice(0, MAX_SHEET_CHARS).matchAll(RULE), ([, name = "", rules = ""]) =>
    /background/i.test(rules) ? name : "",
  ).filter((name) => name !== "");

/**
 * Returns the classes that a style sheet hides; media query conditions are ignored. A mistake only moves text to the
 * hidden side.
 */
export function hidingClasses(sheet: string): Map<string, string> {
  const hiding = new Map<string, string>();
  for (const [, name, rules] of sheet.slice(0, MAX_SHEET_CHARS).matchAll(RULE)) {
    const how = hiddenByStyle(rules ?? "");
    if (name !== undefined && how !== null) hiding.set(name, how);
  }
  return hiding;
}

const HIDDEN = "text hidden by style";
const TOO_SMALL_TO_READ = "text in a font too small to read";
const OWN_SIZE = /(?:^|[;\s])font(?:-size)?\s{0,3}:/i;

const IN_ITS_COLOUR = "text in the colour of its background";

/** How text in an element is hidden by those around it; its own size and colours may make it readable again. */
export function hiddenAround(how: string | null, attributes: Record<string, string>): string | null {
  if (how === IN_ITS_COLOUR) return null;
  return how === TOO_SMALL_TO_READ && styleOf(attributes).sets_size ? null : how;
}

const COLOR = /(?:^|[;\s{])color\s{0,3}:\s{0,3}([^;!]{1,40})/i;
const PICTURED = /background-image\s{0,3}:\s{0,3}(?!none|initial|unset|inherit)[a-z-]/i;
const BACKGROUND = /background(?:-color)?\s{0,3}:\s{0,3}([^;!]{1,40})/i;
const HIDING =
  /display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}(?:hidden|collapse)|mso-hide\s{0,3}:\s{0,3}all|opacity\s{0,3}:\s{0,3}0(?:\.0\d?)?\s{0,3}(?:[;!%]|$)|max-height\s{0,3}:\s{0,3}0|(?:^|[;\s])(?:width|height)\s{0,3}:\s{0,3}0(?:px)?\s{0,3}(?:[;!]|$)|text-indent\s{0,3}:\s{0,3}-\d{3,}|(?:left|top|right|margin-left|margin-top)\s{0,3}:\s{0,3}-\d{3,}|clip\s{0,3}:\s{0,3}rect\(\s?0|transform\s{0,3}:\s{0,3}scale\(0\)|(?:^|[;\s])color\s{0,3}:\s{0,3}transparent/i;
/** Styles that cut away, blur or fade text; filters that only shade, such as the gradients of Outlook, hide nothing. */
const CUT_AWAY =
  /(?:^|[;\s])(?:-webkit-)?clip-path\s{0,3}:\s{0,3}(?!none|initial|unset|inherit|border-box)[a-z]/i;
const FILTERED =
  /(?:^|[;\s])(?:-webkit-)?filter\s{0,3}:[^;]{0,100}?(?:opacity\(\s?(?:0?(?:\.0\d{0,3})?|\d(?:\.\d{0,3})?%)\s?\)|opacity\s?=\s?\d\b|blur\(\s?(?!0(?:px)?\s?\))[\d.]|contrast\(\s?0?(?:\.0\d{0,3})?%?\s?\)|invert\()/i;
const TOO_SMALL = "(?:0|[01](?:\\.\\d{1,2})?px|[01]pt|0?\\.0\\d{0,2}r?em|[0-4]%)";
const TINY = new RegExp(`font-size\\s{0,3}:\\s{0,3}${TOO_SMALL}(?![\\d.])`, "i");
/** A tiny size in the shorthand, after its style, variant and weight. */
const TINY_FONT = new RegExp(
  `(?:^|[;\\s])font\\s{0,3}:\\s{0,3}(?:(?:[a-z-]{1,20}|[1-9]00)\\s{1,3}){0,5}${TOO_SMALL}(?=[\\s/;!]|$)`,
  "i",
);

function hiddenByStyle(style: string): string | null {
  if (HIDING.test(style) || CUT_AWAY.test(style) || FILTERED.test(style)) return HIDDEN;
  return TINY.test(style) || TINY_FONT.test(style) ? TOO_SMALL_TO_READ : null;
}

function declared(style: string, property: RegExp): string | undefined {
  return property.exec(style)?.[1]?.trim();
}

function plainColor(value: string): string {
  const color =
    value
      .trim()
      .toLowerCase()
      .split(/\s+(?!\d)/)[0] ?? "";
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(color);
  if (short !== null) return named(`#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}`);
  const rgb = /^rgba?\(\s?(\d{1,3})[\s,]{1,3}(\d{1,3})[\s,]{1,3}(\d{1,3})/.exec(value.trim().toLowerCase());
  if (rgb !== null)
    return named(
      `#${[rgb[1], rgb[2], rgb[3]].map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`,
    );
  return named(color);
}

/** Maps indistinguishable colours to one name; unreadable values get none, so that they never match. */
function named(color: string): string {
  if (/^#f[d-f]f[d-f]f[d-f]$/.test(color)) return "white";
  if (/^#0[0-2]0[0-2]0[0-2]$/.test(color)) return "black";
  return /^(?:#[0-9a-f]{6}|[a-z]{3,20})$/.test(color) &&
    !/^(?:inherit|initial|unset|none|transparent|url|var)$/.test(color)
    ? color
    : "";
}
