import { WIDE_SPACE } from "../new-words/html-lines.ts";
import type { HtmlElement, HtmlText } from "../new-words/html-tree.ts";
import type { HtmlLine } from "../new-words/html-writer.ts";
import { isBlank } from "../new-words/line.ts";
import { cleanText } from "./frame.ts";

const MAX_ALT_CHARS = 200;
const MAX_TARGET_CHARS = 120;

/** A piece of a line: where it is in the line's text, the link that it is part of, and whether it is hidden. */
interface Piece {
  start: number;
  end: number;
  link: HtmlElement | undefined;
  hidden: boolean;
  /** What is shown instead of the text: an image. */
  image?: string;
}

/**
 * The lines of an HTML mail with links as `[text](where it really goes)` and images as `![alternative text]`; null
 * for a line of which nothing is visible. The mail itself can't write either: `](` and `![` of its own are set
 * apart.
 */
export function markedLines(
  root: HtmlElement,
  lines: readonly HtmlLine[],
  hidden: ReadonlySet<HtmlText>,
): (string | null)[] {
  const links = linksOf(root);
  const placed = new Set<HtmlElement | HtmlText>();
  return lines.map((line) => {
    const pieces = piecesOf(line, links, hidden, placed);
    if (pieces.length === 0) return setApart(line.text);
    const seen = pieces.filter((piece) => !piece.hidden);
    if (seen.length === 0 && !isBlank(line)) return null;
    return lineOf(line.text, pieces);
  });
}

function linksOf(root: HtmlElement): ReadonlyMap<HtmlElement | HtmlText, HtmlElement> {
  const links = new Map<HtmlElement | HtmlText, HtmlElement>();
  const walk = (element: HtmlElement, link: HtmlElement | undefined): void => {
    const own = element.name === "a" && element.attributes["href"] !== undefined ? element : link;
    for (const child of element.children) {
      if (own !== undefined) links.set(child, own);
      if (child.kind === "element") walk(child, own);
    }
  };
  walk(root, undefined);
  return links;
}

function piecesOf(
  { text, parts }: HtmlLine,
  links: ReadonlyMap<HtmlElement | HtmlText, HtmlElement>,
  hidden: ReadonlySet<HtmlText>,
  placed: Set<HtmlElement | HtmlText>,
): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const part of parts) {
    const link = links.get(part);
    if (part.kind === "element") {
      const image = part.name === "img" && !placed.has(part) ? altOf(part) : "";
      placed.add(part);
      if (image !== "") pieces.push({ start: at, end: at, link, hidden: false, image });
      continue;
    }
    const words = part.text.replace(WIDE_SPACE, " ").replaceAll("\u00a0", " ").trim();
    if (words === "") continue;
    const found = text.indexOf(words, at);
    // Preformatted text runs over several lines: each of them is all its own.
    const start = found < 0 ? at : found;
    const end = found < 0 ? text.length : found + words.length;
    if (end > start) pieces.push({ start, end, link, hidden: hidden.has(part) });
    at = end;
  }
  return pieces;
}

function lineOf(text: string, pieces: readonly Piece[]): string {
  let out = "";
  let at = 0;
  for (let index = 0; index < pieces.length; ) {
    const first = pieces[index] as Piece;
    let next = index + 1;
    while (first.link !== undefined && pieces[next]?.link === first.link) next += 1;
    out += setApart(text.slice(at, first.start));
    let label = "";
    at = first.start;
    for (const piece of pieces.slice(index, next)) {
      label += setApart(text.slice(at, piece.start));
      if (piece.image !== undefined) {
        if (label === "") out = spaced(out);
        label = `${spaced(label)}![${piece.image}]`;
      } else if (!piece.hidden) label += setApart(text.slice(piece.start, piece.end));
      at = piece.end;
    }
    out += first.link === undefined || label.trim() === "" ? label : withTarget(label, first.link);
    index = next;
  }
  const shown = (out + setApart(text.slice(at))).trimEnd();
  return pieces.some(({ hidden }) => hidden) ? shown.replace(/ {2,}/g, " ") : shown;
}

const spaced = (text: string): string => (/\S$/u.test(text) ? `${text} ` : text);

const setApart = (text: string): string => text.replaceAll("](", "] (").replaceAll("![", "! [");

function altOf({ attributes }: HtmlElement): string {
  const alt = cleanText((attributes["alt"] ?? "").slice(0, 2 * MAX_ALT_CHARS))
    .replace(/[\s[\]]+/gu, " ")
    .trim();
  return [...alt].slice(0, MAX_ALT_CHARS).join("");
}

function withTarget(label: string, { attributes }: HtmlElement): string {
  const target = targetOf(attributes["href"] ?? "");
  if (target === null || isSame(label.trim(), target)) return label;
  return `[${label}](${target.shown})`;
}

interface Target {
  /** The host of a web link; empty for other kinds. */
  host: string;
  shown: string;
}

/** Where a link goes: the host of a page, the address of a mail, or the kind of anything else. */
function targetOf(href: string): Target | null {
  const url = cleanText(href).trim();
  if (url === "" || url.startsWith("#")) return null;
  const parsed = URL.parse(url.slice(0, 4_096));
  if (parsed === null) return { host: "", shown: "a link to nowhere" };
  const { protocol, host, pathname, search } = parsed;
  if (protocol === "mailto:" || protocol === "tel:")
    return { host: "", shown: short(`${protocol}${safely(pathname)}`) };
  if (protocol !== "http:" && protocol !== "https:") return { host: "", shown: `a link of kind ${protocol}` };
  const more = pathname.length > 1 || search !== "" ? "/…" : "";
  return { host, shown: `${protocol}//${short(host)}${more}` };
}

const short = (text: string): string =>
  text.length > MAX_TARGET_CHARS ? `${text.slice(0, MAX_TARGET_CHARS)}…` : text;

const safely = (text: string): string => text.replace(/[()\s]/gu, "");

/** Whether a link's text already says where it goes. */
function isSame(label: string, { host, shown }: Target): boolean {
  if (host === "") return `mailto:${label}` === shown || `tel:${label}` === shown;
  const said = URL.parse(label) ?? URL.parse(`https://${label}`);
  return said?.host === host && !/\s/u.test(label);
}
