const MAX_STYLE_CHARS = 4_000;
const SIDES = ["top", "right", "bottom", "left"] as const;
const FONT =
  /^((?:(?:normal|italic|bold|[1-9]00) {1,9}){0,3})([\d.]{1,9}(?:px|pt|em|rem|%))(?: {0,9}\/ {0,9}([\d.]{1,9}(?:px|pt|em|rem|%)?))? {1,9}(.{1,300})$/;
const BORDER_STYLE = /^(?:none|hidden|solid|dashed|dotted|double|groove|ridge|inset|outset)$/;
const UNSET = /^(?:inherit|initial|unset|revert)$/;

/** A declaration of CSS in lower case. Shorthands for four sides, for fonts and backgrounds are taken apart. */
export interface Declaration {
  property: string;
  value: string;
  important: boolean;
}

/** Reads the declarations of a rule or a style attribute, up to a limit of characters. */
export function readDeclarations(css: string): Declaration[] {
  const declarations: Declaration[] = [];
  for (const declaration of css.slice(0, MAX_STYLE_CHARS).toLowerCase().split(";")) {
    const colon = declaration.indexOf(":");
    if (colon < 0) continue;
    const property = declaration.slice(0, colon).trim();
    const written = declaration.slice(colon + 1).trim();
    const value = written.replace(/\s*!\s*important$/, "");
    const important = value !== written;
    for (const [name, part] of longhands(property, value))
      declarations.push({ property: name, value: part, important });
  }
  return declarations;
}

/** Whether a style is longer than what is read of it. */
export const isTooLong = (css: string): boolean => css.length > MAX_STYLE_CHARS;

/** The declarations that count, by property; of equal ones the later one, and important ones before all others. */
export function winning(declarations: readonly Declaration[]): Map<string, string> {
  const won = new Map<string, string>();
  for (const wanted of [false, true])
    for (const { property, value, important } of declarations) {
      if (important !== wanted) continue;
      if (UNSET.test(value)) won.delete(property);
      else won.set(property, value);
    }
  putBordersTogether(won);
  return won;
}

/** Borders are taken apart while declarations compete, and are one declaration for each side after that. */
function putBordersTogether(won: Map<string, string>): void {
  for (const side of SIDES) {
    const [width, style, color] = ["width", "style", "color"].map((part) => {
      const property = `border-${side}-${part}`;
      const value = won.get(property);
      won.delete(property);
      return value;
    });
    if (style !== undefined || width !== undefined)
      won.set(`border-${side}`, [width ?? "medium", style ?? "none", color ?? "currentcolor"].join(" "));
  }
}

function longhands(property: string, value: string): [string, string][] {
  if (property === "background") return [["background-color", value]];
  if (/^border(?:-(?:top|right|bottom|left))?$/.test(property)) return borderOf(property, value);
  const [, part = ""] = /^border-(width|style|color)$/.exec(property) ?? [];
  if (part !== "") return fourOf(value).map(([side, one]) => [`border-${side}-${part}`, one]);
  if (property === "font") return fontOf(value);
  if (property !== "margin" && property !== "padding") return [[property, value]];
  return value.split(/\s+/, 5).length > 4
    ? [[property, value]]
    : fourOf(value).map(([side, one]) => [`${property}-${side}`, one]);
}

/** The values for the four sides, of one to four values. */
function fourOf(value: string): [side: string, value: string][] {
  const [top = "", right = top, bottom = top, left = right] = value.replace(/\s*,\s*/g, ",").split(/\s+/, 4);
  return [
    ["top", top],
    ["right", right],
    ["bottom", bottom],
    ["left", left],
  ];
}

/** A border's parts, for each of its sides. What isn't said is as it is without a border. */
function borderOf(property: string, value: string): [string, string][] {
  const parts = value.replace(/\s*,\s*/g, ",").split(/\s+/, 4);
  const style = parts.find((part) => BORDER_STYLE.test(part)) ?? "none";
  const width = parts.find((part) => /^[\d.]/.test(part)) ?? "medium";
  const color = parts.find((part) => part !== style && part !== width) ?? "currentcolor";
  const sides = property === "border" ? SIDES : [property.slice("border-".length)];
  return sides.flatMap((side): [string, string][] => [
    [`border-${side}-width`, width],
    [`border-${side}-style`, style],
    [`border-${side}-color`, color],
  ]);
}

function fontOf(value: string): [string, string][] {
  const [, before = "", size = "", line = "normal", family = ""] =
    FONT.exec(value.replace(/\s+/g, " ")) ?? [];
  if (size === "") return [["font", value]];
  return [
    ["font-style", before.includes("italic") ? "italic" : "normal"],
    ["font-weight", /bold|[1-9]00/.exec(before)?.[0] ?? "normal"],
    ["font-size", size],
    ["line-height", line],
    ["font-family", family],
  ];
}

/** Formats declarations as CSS, sorted; four sides are put together again. */
export function styleText(declarations: ReadonlyMap<string, string>): string {
  const written = new Map(declarations);
  for (const box of ["border", "margin", "padding"]) {
    const sides = SIDES.map((side) => declarations.get(`${box}-${side}`));
    const together = boxText(box, sides);
    if (together === undefined) continue;
    for (const side of SIDES) written.delete(`${box}-${side}`);
    written.set(box, together);
  }
  return [...written]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([property, value]) => `${property}:${value}`)
    .join(";");
}

/** Four sides as one value, as short as it can be; undefined if there aren't four, or they can't be one. */
function boxText(box: string, [top, right, bottom, left]: (string | undefined)[]): string | undefined {
  if (top === undefined || right === undefined || bottom === undefined || left === undefined)
    return undefined;
  if (top === right && top === bottom && top === left) return top;
  if (box === "border") return undefined;
  if (left !== right) return `${top} ${right} ${bottom} ${left}`;
  return top === bottom ? `${top} ${right}` : `${top} ${right} ${bottom}`;
}
