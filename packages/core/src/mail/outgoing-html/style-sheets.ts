import { type Declaration, readDeclarations } from "./declarations.ts";

/** Characters of all style sheets that are read. */
const MAX_SHEET_CHARS = 200_000;
/** Selectors that are read, each of a list counted. */
const MAX_SELECTORS = 5_000;
/** Parts of a selector; longer ones are left out. */
const MAX_SELECTOR_PARTS = 8;
const MAX_SELECTOR_CHARS = 300;
/** Comparisons with selectors, and declarations handed out, for a whole mail: rules have no effect after these. */
const MAX_MATCHING_STEPS = 2_000_000;
/** A wider screen than this isn't one that most mail programs have. */
const MAX_MIN_WIDTH_PX = 600;

const WIDE_MEDIA =
  /^@media\s{1,9}(?:(?:only\s{1,9})?(?:screen|all)\s{1,9}and\s{1,9})?\(\s{0,9}min-width\s{0,9}:\s{0,9}(\d{1,4})(?:\.\d{1,4})?(px|em|rem)?\s{0,9}\)$/i;
const PART = /^(\*|[a-z][a-z0-9-]*)?((?:[.#][a-z_-][\w-]*|\[[a-z-]{1,40}=["']?[\w-]{1,40}["']?\])*)$/i;

/** The properties of an element that selectors test. */
export interface Named {
  name: string;
  id: string;
  classes: ReadonlySet<string>;
  attributes: Readonly<Record<string, string>>;
}

interface Part {
  name: string;
  ids: string[];
  classes: string[];
  attributes: [name: string, value: string][];
  /** Whether it must be the parent of the part before it, not any ancestor. */
  parent: boolean;
}

interface Rule {
  /** The element itself comes first, then its ancestors, inside out. */
  parts: Part[];
  weight: number;
  order: number;
  declarations: readonly Declaration[];
}

/** The rules of a mail's style sheets, by what the element itself must have. */
export interface StyleSheets {
  rules: ReadonlyMap<string, Rule[]>;
  steps: number;
}

/**
 * Reads style sheets: rules outside of media queries, and those for screens that are at least as wide as most, whose
 * selectors are made of types, classes, ids and descendants. Everything else is left out. Linear.
 */
export function readStyleSheets(sheets: readonly string[]): StyleSheets {
  const rules = new Map<string, Rule[]>();
  let count = 0;
  for (const [selectors, body] of blocksOf(withoutComments(sheets.join("\n").slice(0, MAX_SHEET_CHARS)))) {
    const declarations = readDeclarations(body);
    if (declarations.length === 0) continue;
    for (const selector of selectors.split(",")) {
      if (++count > MAX_SELECTORS) return { rules, steps: 0 };
      const parts = partsOf(selector);
      const [own] = parts;
      if (own === undefined) continue;
      const key = keyOf(own);
      const rule = { parts, weight: weightOf(parts), order: count, declarations };
      const same = rules.get(key);
      if (same === undefined) rules.set(key, [rule]);
      else same.push(rule);
    }
  }
  return { rules, steps: 0 };
}

/** Returns the declarations for an element, the stronger ones later; `ancestors` from the outermost in. */
export function declarationsFor(
  sheets: StyleSheets,
  element: Named,
  ancestors: readonly Named[],
): Declaration[] {
  const found: Rule[] = [];
  const keys = ["*", element.name, ...[...element.classes].map((name) => `.${name}`), `#${element.id}`];
  for (const key of keys)
    for (const rule of sheets.rules.get(key) ?? []) {
      if (sheets.steps > MAX_MATCHING_STEPS) break;
      if (!applies(sheets, rule, element, ancestors)) continue;
      found.push(rule);
      sheets.steps += rule.declarations.length;
    }
  return found
    .sort((one, other) => one.weight - other.weight || one.order - other.order)
    .flatMap(({ declarations }) => declarations);
}

const applies = (
  sheets: StyleSheets,
  { parts }: Rule,
  element: Named,
  ancestors: readonly Named[],
): boolean =>
  fits(sheets, parts[0] as Part, element) && areAround(sheets, parts, 1, ancestors, ancestors.length - 1);

/** Whether the parts of a selector from `part` on fit the ancestors from `at` outwards. */
function areAround(
  sheets: StyleSheets,
  parts: readonly Part[],
  part: number,
  ancestors: readonly Named[],
  at: number,
): boolean {
  const wanted = parts[part];
  if (wanted === undefined) return true;
  for (let index = at; index >= 0 && sheets.steps <= MAX_MATCHING_STEPS; index -= 1) {
    if (
      fits(sheets, wanted, ancestors[index] as Named) &&
      areAround(sheets, parts, part + 1, ancestors, index - 1)
    )
      return true;
    if (wanted.parent) return false;
  }
  return false;
}

function fits(sheets: StyleSheets, { name, ids, classes, attributes }: Part, element: Named): boolean {
  sheets.steps += 1;
  return (
    (name === "*" || name === element.name) &&
    ids.every((id) => id === element.id) &&
    classes.every((one) => element.classes.has(one)) &&
    attributes.every(([attribute, value]) => element.attributes[attribute] === value)
  );
}

const keyOf = ({ name, ids: [id], classes: [first] }: Part): string => {
  if (id !== undefined) return `#${id}`;
  return first === undefined ? name : `.${first}`;
};

/** The specificity of a selector as one number (Selectors 4, section 17). */
const weightOf = (parts: readonly Part[]): number =>
  parts.reduce(
    (sum, { name, ids, classes, attributes }) =>
      sum + ids.length * 1_000_000 + (classes.length + attributes.length) * 1_000 + (name === "*" ? 0 : 1),
    0,
  );

/** The parts of a selector, the last first; none if it says more than names, attributes and who is around. */
function partsOf(selector: string): Part[] {
  if (selector.length > MAX_SELECTOR_CHARS) return [];
  const written = selector.trim().replace(/>/g, " > ").split(/\s+/);
  if (written.length > MAX_SELECTOR_PARTS * 2) return [];
  const parts: Part[] = [];
  let parent = false;
  for (const part of written.reverse()) {
    if (part === ">") {
      if (parent || parts.length === 0) return [];
      parent = true;
      continue;
    }
    const [whole = "", name = "*", rest = ""] = PART.exec(part) ?? [];
    if (whole === "") return [];
    const names = rest.match(/[.#][\w-]+|\[[^\]]+\]/g) ?? [];
    const started = (sign: string) => names.filter((one) => one.startsWith(sign)).map((one) => one.slice(1));
    const attributes = started("[").map((one): [string, string] => {
      const [attribute = "", value = ""] = one.slice(0, -1).split("=");
      return [attribute.toLowerCase(), value.replace(/["']/g, "")];
    });
    parts.push({ name: name.toLowerCase(), ids: started("#"), classes: started("."), attributes, parent });
    parent = false;
  }
  return parent || parts.length > MAX_SELECTOR_PARTS ? [] : parts;
}

/** Yields selectors and declarations of rules, also of those within a media query that is kept. */
function* blocksOf(css: string): Iterable<[selectors: string, body: string]> {
  const signs = /[{};]/g;
  let at = 0;
  for (let sign = signs.exec(css); sign !== null; sign = signs.exec(css)) {
    const prelude = css.slice(at, sign.index).trim();
    at = signs.lastIndex;
    // A closing brace ends a media query that is kept.
    if (sign[0] !== "{" || isWide(prelude)) continue;
    const end = prelude.startsWith("@") ? endOfBlock(css, at) : css.indexOf("}", at);
    if (end < 0) return;
    if (!prelude.startsWith("@")) yield [prelude, css.slice(at, end)];
    at = end + 1;
    signs.lastIndex = at;
  }
}

function isWide(prelude: string): boolean {
  if (!prelude.startsWith("@") || prelude.length > MAX_SELECTOR_CHARS) return false;
  const [, digits = "", unit = "px"] = WIDE_MEDIA.exec(prelude) ?? [];
  return digits !== "" && Number(digits) * (unit === "px" ? 1 : 16) <= MAX_MIN_WIDTH_PX;
}

/** The end of a block that began before `at`, with the blocks inside it; negative if it doesn't end. */
function endOfBlock(css: string, at: number): number {
  const braces = /[{}]/g;
  braces.lastIndex = at;
  let depth = 1;
  for (let brace = braces.exec(css); brace !== null; brace = braces.exec(css)) {
    depth += brace[0] === "{" ? 1 : -1;
    if (depth === 0) return brace.index;
  }
  return -1;
}

/** CSS without its comments, and without the marks that hide it from programs that know no CSS. Linear. */
export function withoutComments(css: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let start = css.indexOf("/*"); start >= 0; start = css.indexOf("/*", at)) {
    kept.push(css.slice(at, start));
    const end = css.indexOf("*/", start + 2);
    if (end < 0) return kept.join(" ");
    at = end + 2;
  }
  kept.push(css.slice(at));
  return kept.join(" ").replace(/<!--|-->/g, " ");
}
