import type { HtmlChange } from "../../model/drafts.ts";
import { parseHtml } from "../reply-extraction/html-parse.ts";
import type { HtmlElement } from "../reply-extraction/html-tree.ts";
import { arranged } from "./arrange.ts";
import {
  attributeChanges,
  attributeStyle,
  type CellHints,
  cellHints,
  columnsOf,
  contentIdOf,
  hrefOf,
  isHidden,
  isHidingStyle,
  marginsOf,
  namedOf,
  placeOf,
  startOf,
} from "./attributes.ts";
import { WIDE_SPACE, withoutControls } from "./characters.ts";
import { cleanStyle, type Look, naturalSize, PLAIN_LOOK, tableDefaults } from "./clean-style.ts";
import { cleanText } from "./clean-text.ts";
import { type CleanElement, type CleanNode, flowOf, holdsBlock, showsSomething } from "./clean-tree.ts";
import { type Declaration, isTooLong, readDeclarations, styleText, winning } from "./declarations.ts";
import { treatmentOf } from "./elements.ts";
import { makeFluid } from "./fluid.ts";
import { fitNarrow } from "./narrow.ts";
import { inkedElements, sheetsIn } from "./read-tree.ts";
import { declarationsFor, type Named } from "./style-sheets.ts";
import { pixels } from "./style-values.ts";
import { writeHtml } from "./write-html.ts";

/** HTML in which nothing is hidden, the same as plain text, and the changes made, sorted. */
export interface CleanHtml {
  html: string;
  text: string;
  changes: HtmlChange[];
}

/** The surroundings of a node. */
interface Around {
  look: Look;
  link: boolean;
  preformatted: boolean;
  /** What the table around says about its cells. */
  cells: CellHints | undefined;
  /** Where the boxes in it are placed, if not at the left. */
  align: string | undefined;
}

const PAINTED = ["", "-top", "-right", "-bottom", "-left", "-radius"]
  .map((side) => `border${side}`)
  .concat("background-color", "color");
/** Tells browsers to lay the mail out as all others do, and as the page on which an owner sees it. */
const DOCTYPE = "<!doctype html>";
const BODY_MARGINS: ReadonlyMap<string, string> = new Map(
  ["top", "right", "bottom", "left"].map((side) => [`margin-${side}`, "8px"]),
);
const ALL_ATTRIBUTES = { has: () => true };
const DIRECTED: ReadonlySet<string> = new Set(
  "blockquote div h1 h2 h3 h4 h5 h6 li ol p pre td ul".split(" "),
);

/**
 * Rewrites the HTML of an outgoing mail so that every mail program shows what its text shows: no comments,
 * scripts, style sheets, hidden elements, remote images or forms; of styles only those that can't hide words, also of
 * style sheets, whose rules become styles of the elements; character references resolved. Images stay if
 * `content_ids` has theirs; of the others the alternative text stays. Boxes get narrower on narrow screens. It begins
 * with a doctype. Cleaning again changes nothing. Never throws; linear.
 */
export function cleanHtml(html: string, content_ids: ReadonlySet<string>): CleanHtml {
  const changes = new Set<HtmlChange>();
  if (/<!--|<!\[|<\?/.test(html)) changes.add("comments");
  const { root } = parseHtml(html, ALL_ATTRIBUTES);
  const inked = inkedElements(root);
  const sheets = sheetsIn(root);
  const ancestors: Named[] = [];
  let body: CleanElement | undefined;

  function contentOf(element: HtmlElement, around: Around): CleanNode[] {
    return element.children.flatMap((child) => {
      if (child.kind === "element") return cleaned(child, around);
      const text = withoutControls(child.text);
      if (text !== child.text) changes.add("characters");
      return [text];
    });
  }

  /** The style that counts for an element: of its attributes, the style sheets and itself. */
  function declaredFor(element: HtmlElement, named: Named, around: Around): Map<string, string> {
    const own = element.attributes["style"] ?? "";
    if (isTooLong(own)) changes.add("styles");
    return winning([
      ...readDeclarations(attributeStyle(element, around.cells)),
      ...(sheets.rules.size === 0 ? [] : declarationsFor(sheets, named, ancestors)),
      ...readDeclarations(own),
    ]);
  }

  function cleaned(element: HtmlElement, around: Around): CleanNode[] {
    const named = namedOf(element);
    const declared = declaredFor(element, named, around);
    if (isHidden(element) || isHidingStyle(declared)) {
      changes.add("hidden_elements");
      return [];
    }
    ancestors.push(named);
    const nodes = cleanedWith(element, declared, around);
    ancestors.pop();
    return nodes;
  }

  function cleanedWith(
    element: HtmlElement,
    declared: ReadonlyMap<string, string>,
    around: Around,
  ): CleanNode[] {
    if (element.name === "img" || element.name === "image") return image(element, declared, around);
    const { name, drop, change } = treatmentOf(element.name);
    if (change !== undefined) changes.add(change);
    if (drop === true) return [];
    for (const unread of attributeChanges(element)) changes.add(unread);
    if (name === "br" || name === "hr") return [{ name, attributes: {}, children: [] }];
    if (name === undefined) return contentOf(element, around);
    if (naturalSize(name, around.look) !== undefined) return styled(element, name, declared, around);
    // Without a size of its own, a heading is as large as the text around it.
    return /^h\d$/.test(name) ? styled(element, "div", declared, around) : contentOf(element, around);
  }

  function styled(
    element: HtmlElement,
    name: string,
    declared: ReadonlyMap<string, string>,
    around: Around,
  ): CleanNode[] {
    const href = name === "a" && !around.link ? hrefOf(element) : undefined;
    if (name === "a" && href === undefined && element.attributes["href"] !== undefined) changes.add("links");
    const shown = name === "a" && href === undefined ? "span" : name;
    const { declarations, look, dropped } = cleanStyle(
      { name: shown, link: href !== undefined, inked: inked.has(element) },
      placed(element, shown, declared, around),
      around.look,
    );
    if (dropped) changes.add("styles");
    const within: Around = {
      look,
      link: around.link || href !== undefined,
      preformatted: around.preformatted || shown === "pre",
      cells: shown === "table" ? cellHints(element) : shown === "td" ? undefined : around.cells,
      align: shown === "table" ? undefined : alignIn(declared, around),
    };
    const content = contentOf(element, within);
    // An empty coloured box could be a dot of a letter.
    const empty = !showsSomething(content);
    if (empty) for (const property of PAINTED) declarations.delete(property);
    if ((shown === "span" && declarations.size === 0) || (shown === "a" && empty)) return content;
    const inner = joined(arranged(shown, content), within.preformatted);
    const holds = holdsBlock(inner);
    // Browsers end a paragraph or heading at the start of another block.
    const ends = /^(?:p|h[1-6])$/.test(shown) && holds;
    const style = new Map([...(empty ? [] : defaultsOf(shown, ends, around.look, look)), ...declarations]);
    const attributes = {
      ...(href !== undefined && { href }),
      ...(shown === "ol" && set("start", startOf(element))),
      ...(shown === "td" && set("colspan", columnsOf(element))),
      ...(DIRECTED.has(shown) && element.attributes["dir"] !== undefined && { dir: "auto" }),
    };
    const made: CleanElement = { name: ends ? "div" : shown, attributes, style, children: inner };
    // Words at the edges of boxes within a line would stand together, which plain text doesn't show.
    if (holds && style.get("display") === "inline-block" && flowOf(made) === "inline")
      style.delete("display");
    if (element.name === "body") body = made;
    return [made];
  }

  function image(element: HtmlElement, declared: ReadonlyMap<string, string>, around: Around): CleanNode[] {
    const alt = withoutControls(element.attributes["alt"] ?? "")
      .replace(WIDE_SPACE, " ")
      .trim();
    const id = contentIdOf(element);
    if (id === undefined || !content_ids.has(id)) {
      changes.add("images");
      return alt === "" ? [] : [alt];
    }
    const { declarations, dropped } = cleanStyle(
      { name: "img", link: false, inked: true },
      declared,
      around.look,
    );
    if (dropped) changes.add("styles");
    return [{ name: "img", attributes: { src: `cid:${id}`, alt }, style: declarations, children: [] }];
  }

  const page: Around = {
    look: PLAIN_LOOK,
    link: false,
    preformatted: false,
    cells: undefined,
    align: undefined,
  };
  const nodes = joined(arranged("#root", contentOf(root, page)), false);
  makeFluid(nodes);
  fitNarrow(nodes);
  return {
    html: documentOf(withBody(nodes, body)),
    text: cleanText(nodes),
    changes: [...changes].sort(),
  };
}

/** The style of an element, and the margins that put it where the elements around it want it. */
function placed(
  element: HtmlElement,
  name: string,
  declared: ReadonlyMap<string, string>,
  { align }: Around,
): ReadonlyMap<string, string> {
  if (element.name === "body") return new Map([...BODY_MARGINS, ...declared]);
  if (align === undefined || (name !== "table" && !(name === "div" && declared.has("width"))))
    return declared;
  const margins =
    element.attributes["align"] === undefined ? readDeclarations(marginsOf(align).join(";")) : [];
  // Text in a table isn't moved by what moves the table.
  const text: [string, string][] = name === "table" ? [["text-align", "left"]] : [];
  return new Map([...margins.map(pairOf), ...text, ...declared]);
}

function alignIn(declared: ReadonlyMap<string, string>, { align }: Around): string | undefined {
  const place = placeOf(declared);
  return place === null ? align : place;
}

/**
 * Gives the mail a body without margins. Mail programs that make a plain block of it keep its look, which is that of
 * the one element inside.
 */
function withBody(nodes: CleanNode[], body: CleanElement | undefined): CleanNode[] {
  const shown = nodes.filter((node) => typeof node !== "string" || node.trim() !== "");
  if (body === undefined || shown.length !== 1 || shown[0] !== body) return nodes;
  const bare = styleText(body.style ?? new Map()) === "margin:0" && Object.keys(body.attributes).length === 0;
  const style = new Map(readDeclarations("margin:0").map(pairOf));
  return [{ name: "body", attributes: {}, style, children: bare ? body.children : [body] }];
}

const pairOf = ({ property, value }: Declaration): [string, string] => [property, value];

function documentOf(nodes: readonly CleanNode[]): string {
  const html = writeHtml(nodes).trim();
  return html === "" ? "" : `${DOCTYPE}${html}`;
}

/** Returns the styles that an element must declare to look the same in its new place. */
function defaultsOf(name: string, ends: boolean, around: Look, look: Look): [string, string][] {
  if (name === "table") return tableDefaults(around);
  if (!ends || name === "p") return [];
  return [
    ["font-size", pixels(look.font_px)],
    ["font-weight", "bold"],
  ];
}

/** Joins neighbouring texts; spaces are kept only in preformatted text. */
function joined(nodes: readonly CleanNode[], preformatted: boolean): CleanNode[] {
  const out: CleanNode[] = [];
  for (const node of nodes) {
    const last = out.at(-1);
    if (typeof node === "string" && typeof last === "string") out[out.length - 1] = last + node;
    else out.push(node);
  }
  return out
    .map((node) => (typeof node === "string" && !preformatted ? node.replace(WIDE_SPACE, spaceFor) : node))
    .filter((node) => node !== "");
}

const spaceFor = (spaces: string): string => (spaces.includes("\n") ? "\n" : " ");

const set = (name: string, value: string | undefined): Record<string, string> =>
  value === undefined ? {} : { [name]: value };
