import { WIDE_SPACE } from "../reply-extraction/html-lines.ts";
import type { HtmlElement, HtmlText } from "../reply-extraction/html-tree.ts";
import type { HtmlLine } from "../reply-extraction/html-writer.ts";
import { altOf } from "./alt-text.ts";

/** A piece of a line: where it is in the line's text, the link that it is part of, and whether it is hidden. */
export interface Piece {
  start: number;
  end: number;
  link: HtmlElement | undefined;
  hidden: boolean;
  /** The alternative text of an image, which the piece stands for. */
  image?: string;
}

/** How the pieces of a line are written. */
export interface PieceWriter {
  text(text: string): string;
  /** `alone`: it is all that its link shows. */
  image(alt: string, alone: boolean): string;
  link(label: string, link: HtmlElement): string;
}

/** The link around each node of an HTML mail. */
type LinkMap = ReadonlyMap<HtmlElement | HtmlText, HtmlElement>;

function linksOf(root: HtmlElement): LinkMap {
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

/** The facts about a mail that writing its lines needs. */
export interface LineContext {
  links: LinkMap;
  hidden: ReadonlySet<HtmlText>;
  /** The images of the lines before. */
  placed: Set<HtmlElement>;
  /** The words of texts, since all lines of a preformatted one are parts of it. */
  words: Map<HtmlText, string>;
}

/** Begins the lines of an HTML mail, of which some texts may be hidden. */
export const lineContext = (root: HtmlElement, hidden: ReadonlySet<HtmlText> = new Set()): LineContext => ({
  links: linksOf(root),
  hidden,
  placed: new Set(),
  words: new Map(),
});

/** The pieces of a line in their order. */
export function piecesOf(
  { text, parts }: HtmlLine,
  { links, hidden, placed, words: known }: LineContext,
): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const part of parts) {
    const link = links.get(part);
    if (part.kind === "element") {
      const image = part.name === "img" && !placed.has(part) ? altOf(part) : "";
      placed.add(part);
      if (image === "") continue;
      // In a mail of nothing but images, their alternatives are its text.
      const start = text.startsWith(image, at) ? at : text.startsWith(` ${image}`, at) ? at + 1 : -1;
      const end = start < 0 ? at : start + image.length;
      pieces.push({ start: Math.max(start, at), end, link, hidden: false, image });
      at = end;
      continue;
    }
    const words = known.get(part) ?? part.text.replace(WIDE_SPACE, " ").replaceAll("\u00a0", " ").trim();
    known.set(part, words);
    if (words === "") continue;
    const found = text.indexOf(words, at);
    // Preformatted text spans several lines, each of which is one piece.
    const start = found < 0 ? at : found;
    const end = found < 0 ? text.length : found + words.length;
    if (end > start) pieces.push({ start, end, link, hidden: hidden.has(part) });
    at = end;
  }
  return pieces;
}

/** Writes a line anew from its pieces; the text between them stays. */
export function writeLine(text: string, pieces: readonly Piece[], write: PieceWriter): string {
  let out = "";
  let at = 0;
  for (let index = 0; index < pieces.length; ) {
    const first = pieces[index] as Piece;
    let next = index + 1;
    while (first.link !== undefined && pieces[next]?.link === first.link) next += 1;
    const group = pieces.slice(index, next);
    const alone = first.link !== undefined && group.every(({ image }) => image !== undefined);
    out += write.text(text.slice(at, first.start));
    let label = "";
    at = first.start;
    for (const piece of group) {
      label += write.text(text.slice(at, piece.start));
      const image = piece.image === undefined ? "" : write.image(piece.image, alone);
      if (image !== "") {
        if (label === "") out = spaced(out);
        label = `${spaced(label)}${image}`;
      } else if (!piece.hidden) label += write.text(text.slice(piece.start, piece.end));
      at = piece.end;
    }
    out += first.link === undefined || label.trim() === "" ? label : write.link(label, first.link);
    index = next;
  }
  const shown = (out + write.text(text.slice(at))).trimEnd();
  return pieces.some(({ hidden }) => hidden) ? shown.replace(/ {2,}/g, " ") : shown;
}

const spaced = (text: string): string => (/\S$/u.test(text) ? `${text} ` : text);
