import type { HtmlChange } from "../../model/drafts.ts";
import type { HtmlElement } from "../new-words/html-tree.ts";

const MAX_HREF_CHARS = 2_000;
const MAX_COLUMNS = 50;
const MAX_START = 99_999;
const HIDING =
  /(?:^|[;\s])(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}(?:hidden|collapse)|mso-hide\s{0,9}:\s{0,9}all|opacity\s{0,9}:\s{0,9}0(?:\.0{0,9})?\s{0,9}(?:[;!%]|$))/i;
const LINKS: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"]);

/** Attributes that are read, or that change nothing for a reader. */
const HARMLESS =
  /^(?:style|class|id|name|lang|role|dir|href|target|rel|src|alt|align|valign|bgcolor|color|face|size|width|height|border|cellpadding|cellspacing|colspan|rowspan|start|content|charset|http-equiv|hspace|vspace|nowrap|scope|type|value|xmlns(?::\w+)?|aria-[a-z-]+|data-[\w-]+|action|method|[ovw]:\w+)$/;

/** Whether an element's own attributes hide it. What else could hide it is taken out, so that it shows. */
export const isHidden = ({ attributes }: HtmlElement): boolean =>
  Object.hasOwn(attributes, "hidden") || HIDING.test(attributes["style"] ?? "");

/** What becomes of the attributes that aren't read. */
export function* attributeChanges({ attributes }: HtmlElement): Iterable<HtmlChange> {
  for (const name of Object.keys(attributes)) {
    if (name.startsWith("on")) yield "scripts";
    else if (name === "background") yield "images";
    else if (!HARMLESS.test(name)) yield "attributes";
  }
}

/** What an element declares about its look, as CSS; attributes come before its style, which is stronger. */
export function declaredStyle({ name, attributes }: HtmlElement): string {
  const style = attributes["style"] ?? "";
  const declared = [
    ...(name === "center" || name === "caption" ? ["text-align:center"] : []),
    ...(name === "th" ? ["font-weight:bold"] : []),
    ...attribute(attributes, "bgcolor", "background-color"),
    ...attribute(attributes, "align", "text-align"),
    ...(name === "font" ? attribute(attributes, "color", "color") : []),
    ...(name === "font" ? attribute(attributes, "face", "font-family") : []),
    ...(/^(?:table|td|th|img)$/.test(name) ? widthOf(attributes["width"]) : []),
  ];
  return declared.length === 0 ? style : [...declared, style].join(";");
}

/** Where a link leads, as the URL parser writes it; only to the web, a mail address or a telephone. */
export function hrefOf({ attributes }: HtmlElement): string | undefined {
  const href = (attributes["href"] ?? "").trim();
  if (href.length > MAX_HREF_CHARS || !URL.canParse(href)) return undefined;
  const url = new URL(href);
  return LINKS.has(url.protocol) && url.href.length <= MAX_HREF_CHARS ? url.href : undefined;
}

/** How many columns a cell covers, if more than one. */
export function columnsOf({ attributes }: HtmlElement): string | undefined {
  const columns = wholeNumber(attributes["colspan"]);
  return columns !== undefined && columns > 1 && columns <= MAX_COLUMNS ? String(columns) : undefined;
}

/** The number of a list's first item, if it isn't 1. */
export function startOf({ attributes }: HtmlElement): string | undefined {
  const start = wholeNumber(attributes["start"]);
  return start === undefined || start === 1 || start > MAX_START ? undefined : String(start);
}

/** The Content-ID that an image shows (RFC 2392); undefined for a remote image. */
export function contentIdOf({ attributes }: HtmlElement): string | undefined {
  const [, id] = /^cid:([^\s<>"]{1,250})$/i.exec((attributes["src"] ?? "").trim()) ?? [];
  return id;
}

function attribute(attributes: Record<string, string>, name: string, property: string): string[] {
  const value = attributes[name];
  return value === undefined || value.includes(";") ? [] : [`${property}:${value}`];
}

function widthOf(width = ""): string[] {
  if (/^\d{1,4}$/.test(width)) return [`width:${width}px`];
  return /^\d{1,3}%$/.test(width) ? [`width:${width}`] : [];
}

const wholeNumber = (value = ""): number | undefined =>
  /^\d{1,5}$/.test(value.trim()) ? Number(value) : undefined;
