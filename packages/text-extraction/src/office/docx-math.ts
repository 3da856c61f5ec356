/** Parts of an equation (ECMA-376, part 1, section 22.1) by their element: each is read on its own. */
export const MATH_PARTS: ReadonlySet<string> = new Set([
  "e",
  "num",
  "den",
  "sub",
  "sup",
  "deg",
  "lim",
  "fName",
  "mr",
]);

/** The properties of an equation's element: its characters. */
export type MathProperties = Readonly<Record<string, string>>;

type Parts = Readonly<Record<string, readonly string[]>>;

/** A part as an operand: in parentheses if it is longer than one word. */
const operand = (part: string): string =>
  /^[\p{L}\p{N}.,\u2032]*$|^.$|^\(.*\)$/u.test(part) ? part : `(${part})`;
const only = (parts: Parts, name: string): string => parts[name]?.join("") ?? "";
const withScripts = (parts: Parts, base: string): string => {
  const [sub, sup] = [only(parts, "sub"), only(parts, "sup")];
  return `${base}${sub === "" ? "" : `_${operand(sub)}`}${sup === "" ? "" : `^${operand(sup)}`}`;
};

/** Writes each kind of element on one line, as in plain text mail: `(a+b)/2`, `x^2`, `√(n)`. */
const MATH_FORMS: Readonly<Record<string, (parts: Parts, properties: MathProperties) => string>> = {
  f: (parts) => `${operand(only(parts, "num"))}/${operand(only(parts, "den"))}`,
  sSup: (parts) => withScripts(parts, only(parts, "e")),
  sSub: (parts) => withScripts(parts, only(parts, "e")),
  sSubSup: (parts) => withScripts(parts, only(parts, "e")),
  sPre: (parts) => `${withScripts(parts, "")}${only(parts, "e")}`,
  rad: (parts) => `${only(parts, "deg")}√${operand(only(parts, "e"))}`,
  nary: (parts, { chr = "∫" }) => `${withScripts(parts, chr)} ${only(parts, "e")}`,
  d: ({ e = [] }, { begChr = "(", sepChr = "|", endChr = ")" }) => `${begChr}${e.join(sepChr)}${endChr}`,
  func: (parts) => `${only(parts, "fName")} ${operand(only(parts, "e"))}`,
  limLow: (parts) => `${only(parts, "e")}_${operand(only(parts, "lim"))}`,
  limUpp: (parts) => `${only(parts, "e")}^${operand(only(parts, "lim"))}`,
  mr: ({ e = [] }) => e.join(", "),
  m: ({ mr = [] }) => `[${mr.join("; ")}]`,
  eqArr: ({ e = [] }) => e.join("; "),
};

/** Whether an element of an equation has a form of its own. */
export const isMathForm = (name: string): boolean => Object.hasOwn(MATH_FORMS, name);

/** Writes an element of an equation from its parts. */
export function writeMath(name: string, parts: Parts, properties: MathProperties): string {
  return MATH_FORMS[name]?.(parts, properties) ?? "";
}
