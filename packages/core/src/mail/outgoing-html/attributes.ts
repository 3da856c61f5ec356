import type { HtmlChange } from "../../model/drafts.ts";
import type { HtmlElement } from "../reply-extraction/html-tree.ts";
import type { Named } from "./style-sheets.ts";

const MAX_HREF_CHARS = 2_000;
const MAX_COLUMNS = 50;
const MAX_START = 99_999;
const MAX_CLASSES = 20;
const HIDING =
  /(?:^|[;\s])(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}(?:hidden|collapse)|mso-hide\s{0,9}:\s{0,9}all|opacity\s{0,9}:\s{0,9}0(?:\.0{0,9})?\s{0,9}(?:[;!%]|$))/i;
const HIDING_PROPERTIES = ["display", "visibility", "mso-hide", "opacity"];
const LINKS: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"]);

/** Attributes that are read, or that make no difference to a reader. */
const HARMLESS =
  /^(?:style|class|id|name|lang|role|dir|href|target|rel|src|alt|align|valign|bgcolor|color|face|size|width|height|border|cellpadding|cellspacing|colspan|rowspan|start|content|charset|http-equiv|hspace|vspace|nowrap|scope|type|value|xmlns(?::\w+)?|aria-[a-z-]+|data-[\w-]+|action|method|[ovw]:\w+)$/;

/** Whether an element's own attributes hide it. Everything else that could hide it is removed, so that it shows. */
export const isHidden = ({ attributes }: HtmlElement): boolean =>
  Object.hasOwn(attributes, "hidden") || HIDING.test(attributes["style"] ?? "");

/** Whether a style, put together from style sheets and the element's own, hides it. */
export function isHidingStyle(declared: ReadonlyMap<string, string>): boolean {
  for (const property of HIDING_PROPERTIES) {
    const value = declared.get(property);
    if (value !== undefined && HIDING.test(`${property}:${value}`)) return true;
  }
  return false;
}

/** Yields the changes for attributes that aren't read. */
export function* attributeChanges({ attributes }: HtmlElement): Iterable<HtmlChange> {
  for (const name of Object.keys(attributes)) {
    if (name.startsWith("on")) yield "scripts";
    else if (name === "background") yield "images";
    else if (!HARMLESS.test(name)) yield "attributes";
  }
}

/** The attributes of a table that are about its cells. */
export interface CellHints {
  padding: string | undefined;
  bordered: boolean;
}

/** Returns what a table's attributes say about its cells. */
export const cellHints = ({ attributes }: HtmlElement): CellHints => ({
  padding: pxOf(attributes["cellpadding"]),
  bordered: Number(pxOf(attributes["border"]) ?? 0) > 0,
});

/** Returns the style that an element's name and attributes stand for, as CSS: style sheets are stronger. */
export function attributeStyle({ name, attributes }: HtmlElement, cells: CellHints | undefined): string {
  const cell = name === "td" || name === "th";
  return [
    ...(name === "center" || name === "caption" ? ["text-align:-webkit-center"] : []),
    ...(name === "th" ? ["font-weight:bold"] : []),
    ...(cell && cells?.padding !== undefined ? [`padding:${cells.padding}px`] : []),
    ...(cell && cells?.bordered ? ["border:1px solid #808080"] : []),
    ...attribute(attributes, "bgcolor", "background-color"),
    ...(name === "table" ? tableStyle(attributes) : alignStyle(attributes["align"])),
    ...(/^(?:td|th|tr|img)$/.test(name) ? attribute(attributes, "valign", "vertical-align") : []),
    ...(name === "font" ? attribute(attributes, "color", "color") : []),
    ...(name === "font" ? attribute(attributes, "face", "font-family") : []),
    ...(/^(?:table|td|th|img)$/.test(name) ? sizeOf("width", attributes["width"]) : []),
    ...(cell ? sizeOf("height", attributes["height"]) : []),
  ].join(";");
}

function tableStyle(attributes: Record<string, string>): string[] {
  const spacing = pxOf(attributes["cellspacing"]);
  const border = Number(pxOf(attributes["border"]) ?? 0);
  return [
    ...marginsOf(attributes["align"] ?? ""),
    ...(spacing === undefined ? [] : [`border-spacing:${spacing}px`]),
    ...(border > 0 ? [`border:${border}px solid #808080`] : []),
  ];
}

/** The margins that put a box where `align` wants it. */
export function marginsOf(align: string): string[] {
  const place = align.trim().toLowerCase();
  if (place === "center") return ["margin-left:auto", "margin-right:auto"];
  return place === "right" ? ["margin-left:auto"] : [];
}

/** Unlike `text-align`, `align` and `center` also place boxes (HTML, "15.3.3 Flow content"): browsers have values for that. */
function alignStyle(align = ""): string[] {
  const value = align.trim().toLowerCase();
  if (/^(?:left|center|right)$/.test(value)) return [`text-align:-webkit-${value}`];
  return value === "justify" ? ["text-align:justify"] : [];
}

/** Returns how an element with this style aligns the boxes in it; undefined if only text is moved, null if it says nothing. */
export function placeOf(declared: ReadonlyMap<string, string>): string | undefined | null {
  const value = declared.get("text-align");
  return value === undefined ? null : /^-webkit-(left|center|right)$/.exec(value)?.[1];
}

/** An element's own name, id and classes, which rules of style sheets ask for. */
export const namedOf = ({ name, attributes }: HtmlElement): Named => ({
  name,
  id: attributes["id"] ?? "",
  classes: new Set((attributes["class"] ?? "").split(/\s+/, MAX_CLASSES)),
  attributes,
});

/** Returns a link's target as the URL parser writes it: only to the web, a mail address or a telephone. */
export function hrefOf({ attributes }: HtmlElement): string | undefined {
  const href = (attributes["href"] ?? "").trim();
  if (href.length > MAX_HREF_CHARS || !URL.canParse(href)) return undefined;
  const url = new URL(href);
  return LINKS.has(url.protocol) && url.href.length <= MAX_HREF_CHARS ? url.href : undefined;
}

/** Returns the number of columns that a cell spans, if more than one. */
export function columnsOf({ attributes }: HtmlElement): string | undefined {
  const columns = wholeNumber(attributes["colspan"]);
  return columns !== undefined && columns > 1 && columns <= MAX_COLUMNS ? String(columns) : undefined;
}

/** Returns the number of a list's first item, if it isn't 1. */
export function startOf({ attributes }: HtmlElement): string | undefined {
  const start = wholeNumber(attributes["start"]);
  return start === undefined || start === 1 || start > MAX_START ? undefined : String(start);
}

/** Returns the Content-ID of the image shown (RFC 2392); undefined for a remote image. */
export function contentIdOf({ attributes }: HtmlElement): string | undefined {
  const [, id] = /^cid:([^\s<>"]{1,250})$/i.exec((attributes["src"] ?? "").trim()) ?? [];
  return id;
}

function attribute(attributes: Record<string, string>, name: string, property: string): string[] {
  const value = attributes[name];
  return value === undefined || value.includes(";") ? [] : [`${property}:${value}`];
}

function sizeOf(property: string, size = ""): string[] {
  if (/^\d{1,4}(?:px)?$/.test(size)) return [`${property}:${Number.parseInt(size, 10)}px`];
  return /^\d{1,3}%$/.test(size) ? [`${property}:${size}`] : [];
}

/** A number of pixels as HTML has them. */
const pxOf = (value = ""): string | undefined => /^\s{0,9}(\d{1,3})(?:px)?\s{0,9}$/.exec(value)?.[1];

const wholeNumber = (value = ""): number | undefined =>
  /^\d{1,5}$/.test(value.trim()) ? Number(value) : undefined;
