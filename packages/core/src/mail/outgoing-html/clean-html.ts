import type { HtmlChange } from "../../model/drafts.ts";
import { parseHtml } from "../new-words/html-parse.ts";
import type { HtmlElement } from "../new-words/html-tree.ts";
import { arranged } from "./arrange.ts";
import {
  attributeChanges,
  columnsOf,
  contentIdOf,
  declaredStyle,
  hrefOf,
  isHidden,
  startOf,
} from "./attributes.ts";
import { WIDE_SPACE, withoutControls } from "./characters.ts";
import { cleanStyle, type Look, naturalSize, PLAIN_LOOK, styleText, tableDefaults } from "./clean-style.ts";
import { cleanText } from "./clean-text.ts";
import { type CleanNode, holdsBlock, showsSomething } from "./clean-tree.ts";
import { treatmentOf } from "./elements.ts";
import { pixels } from "./style-values.ts";
import { writeHtml } from "./write-html.ts";

/** HTML in which nothing is hidden, the same as plain text, and what was changed, sorted. */
export interface CleanHtml {
  html: string;
  text: string;
  changes: HtmlChange[];
}

/** What surrounds a node. */
interface Around {
  look: Look;
  link: boolean;
  preformatted: boolean;
}

const PAINTED = ["", "-top", "-right", "-bottom", "-left", "-radius"]
  .map((side) => `border${side}`)
  .concat("background-color", "color");
const ALL_ATTRIBUTES = { has: () => true };
const DIRECTED: ReadonlySet<string> = new Set(
  "blockquote div h1 h2 h3 h4 h5 h6 li ol p pre td ul".split(" "),
);

/**
 * Rewrites the HTML of an outgoing mail so that every mail program shows what its text shows: no comments,
 * scripts, style sheets, hidden elements, remote images or forms; of styles only those that can't hide words;
 * character references resolved. Images stay if `content_ids` has theirs; of the others the alternative text
 * stays. Cleaning again changes nothing. Never throws; linear.
 */
export function cleanHtml(html: string, content_ids: ReadonlySet<string>): CleanHtml {
  const changes = new Set<HtmlChange>();
  if (/<!--|<!\[|<\?/.test(html)) changes.add("comments");

  function contentOf(element: HtmlElement, around: Around): CleanNode[] {
    return element.children.flatMap((child) => {
      if (child.kind === "element") return cleaned(child, around);
      const text = withoutControls(child.text);
      if (text !== child.text) changes.add("characters");
      return [text];
    });
  }

  function cleaned(element: HtmlElement, around: Around): CleanNode[] {
    if (isHidden(element)) {
      changes.add("hidden_elements");
      return [];
    }
    if (element.name === "img" || element.name === "image") return image(element, around);
    const { name, drop, change } = treatmentOf(element.name);
    if (change !== undefined) changes.add(change);
    if (drop === true) return [];
    for (const unread of attributeChanges(element)) changes.add(unread);
    if (name === "br" || name === "hr") return [{ name, attributes: {}, children: [] }];
    if (name === undefined) return contentOf(element, around);
    if (naturalSize(name, around.look) !== undefined) return styled(element, name, around);
    // Without the size of its own it is as large as the text around it.
    return /^h\d$/.test(name) ? styled(element, "div", around) : contentOf(element, around);
  }

  function styled(element: HtmlElement, name: string, around: Around): CleanNode[] {
    const href = name === "a" && !around.link ? hrefOf(element) : undefined;
    if (name === "a" && href === undefined && element.attributes["href"] !== undefined) changes.add("links");
    const shown = name === "a" && href === undefined ? "span" : name;
    const { declarations, look, dropped } = cleanStyle(
      shown,
      href !== undefined,
      declaredStyle(element),
      around.look,
    );
    if (dropped) changes.add("styles");
    const within: Around = {
      look,
      link: around.link || href !== undefined,
      preformatted: around.preformatted || shown === "pre",
    };
    const content = contentOf(element, within);
    // An empty box of colour could be a dot of a letter.
    const empty = !showsSomething(content);
    if (empty) for (const property of PAINTED) declarations.delete(property);
    if ((shown === "span" && declarations.size === 0) || (shown === "a" && empty)) return content;
    const inner = joined(arranged(shown, content), within.preformatted);
    // Browsers end a paragraph or heading where another block begins.
    const ends = /^(?:p|h[1-6])$/.test(shown) && holdsBlock(inner);
    const declared = new Map([...(empty ? [] : defaultsOf(shown, ends, around.look, look)), ...declarations]);
    const attributes = {
      ...(href !== undefined && { href }),
      ...(shown === "ol" && set("start", startOf(element))),
      ...(shown === "td" && set("colspan", columnsOf(element))),
      ...(DIRECTED.has(shown) && element.attributes["dir"] !== undefined && { dir: "auto" }),
      ...(declared.size > 0 && { style: styleText(declared) }),
    };
    return [{ name: ends ? "div" : shown, attributes, children: inner }];
  }

  function image(element: HtmlElement, around: Around): CleanNode[] {
    const alt = withoutControls(element.attributes["alt"] ?? "")
      .replace(WIDE_SPACE, " ")
      .trim();
    const id = contentIdOf(element);
    if (id === undefined || !content_ids.has(id)) {
      changes.add("images");
      return alt === "" ? [] : [alt];
    }
    const { declarations, dropped } = cleanStyle("img", false, declaredStyle(element), around.look);
    if (dropped) changes.add("styles");
    const attributes = {
      src: `cid:${id}`,
      alt,
      ...(declarations.size > 0 && { style: styleText(declarations) }),
    };
    return [{ name: "img", attributes, children: [] }];
  }

  const page: Around = { look: PLAIN_LOOK, link: false, preformatted: false };
  const nodes = joined(arranged("#root", contentOf(parseHtml(html, ALL_ATTRIBUTES).root, page)), false);
  return { html: writeHtml(nodes).trim(), text: cleanText(nodes), changes: [...changes].sort() };
}

/** What an element has to declare to look as it does elsewhere. */
function defaultsOf(name: string, ends: boolean, around: Look, look: Look): [string, string][] {
  if (name === "table") return tableDefaults(around);
  if (!ends || name === "p") return [];
  return [
    ["font-size", pixels(look.font_px)],
    ["font-weight", "bold"],
  ];
}

/** Neighbouring texts as one; spaces are kept only in preformatted text. */
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
