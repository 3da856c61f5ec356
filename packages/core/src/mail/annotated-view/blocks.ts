import type { MailAddress } from "../../model/parsed-mail.ts";
import { type ExtractableMail, type LineRole, rolesOf } from "../reply-extraction/extract.ts";
import { headerBlockAt, unlabelledBlockAt } from "../reply-extraction/header-block.ts";
import { htmlLines } from "../reply-extraction/html-lines.ts";
import { parseHtml, SHOWN_ATTRIBUTES } from "../reply-extraction/html-parse.ts";
import type { HtmlElement, HtmlText } from "../reply-extraction/html-tree.ts";
import { MAX_BLOCK_LINES } from "../reply-extraction/limits.ts";
import { isBlank, type Line } from "../reply-extraction/line.ts";
import { replyHeaderAt } from "../reply-extraction/reply-header.ts";
import { textLines, withinLimits } from "../reply-extraction/text-lines.ts";
import { hidesBy, hidingClasses, type Paint, paintOf } from "../screening/signals/html-hiding.ts";
import { viewHtml } from "../screening/signals/html-view.ts";
import { cleanText } from "./frame.ts";
import { markedLines } from "./marked-lines.ts";

/** The bodies of a mail, and what tells its signature and its quotes: see `ExtractableMail`. */
export interface MailToMark
  extends Pick<ExtractableMail, "subject" | "is_reply" | "parent_text" | "takes_answers"> {
  text: string | null;
  html: string | null;
  sender?: MailAddress | undefined;
}

/** A part of a mail's body, and what it is. Its text is cleaned; `\n` ends its lines. */
export interface MarkedBlock {
  kind: "visible" | "quoted" | "signature" | "hidden" | "attached";
  /**
   * Quoted: the line that says who wrote it and when. Attached: who wrote the attached mail, when and under what
   * subject. Hidden: how it is hidden. Otherwise null.
   */
  note: string | null;
  text: string;
  /** Attached: the id of the attachment. */
  attachment?: string;
}

const MARKED_ATTRIBUTES = new Set([...SHOWN_ATTRIBUTES, "color", "bgcolor"]);
/** It is shown in place of the image. */
const SHOWN_IN_PLACE = "an image's alternative text";
const BLOCK_OF_ROLE = { new: "visible", quoted: "quoted", signature: "signature" } as const;

/**
 * A mail's body as a person sees it, in blocks: what its sender wrote, what is quoted, the signature, and last
 * what a person doesn't see. The HTML is used where it shows something; links have their real host, and images
 * their alternative text. Never throws; linear.
 */
export function markedBlocks(mail: MailToMark): MarkedBlock[] {
  const { text, html } = mail;
  const hidden = html === null ? [] : hiddenBlocks(html);
  const fromHtml = html === null ? [] : htmlBlocks(html, mail);
  if (fromHtml.length > 0) return [...fromHtml, ...hidden];
  const { head, rest } = withinLimits(text ?? "");
  const lines = textLines(head);
  const shown = lines.map(({ text: line }) => line);
  const blocks = blocksOf(lines, shown, rolesOf(lines, mail));
  const more = cleanText(rest).trim();
  return [
    ...blocks,
    ...(more === "" ? [] : [{ kind: "visible" as const, note: null, text: more }]),
    ...hidden,
  ];
}

function htmlBlocks(html: string, mail: MailToMark): MarkedBlock[] {
  const { root } = parseHtml(html, MARKED_ATTRIBUTES);
  const lines = htmlLines(root);
  return blocksOf(lines, markedLines(root, lines, hiddenTexts(root)), rolesOf(lines, mail));
}

function hiddenBlocks(html: string): MarkedBlock[] {
  return viewHtml(html)
    .hidden.filter(({ how }) => how !== SHOWN_IN_PLACE)
    .map(({ how, text }) => ({ kind: "hidden", note: how, text: cleanText(text).trim() }) as const)
    .filter(({ text }) => text !== "");
}

/** Blocks of lines with one role. A line that is null is hidden; a blank one belongs to the block above it. */
function blocksOf(
  lines: readonly Line[],
  shown: readonly (string | null)[],
  roles: readonly LineRole[],
): MarkedBlock[] {
  const blocks: { kind: MarkedBlock["kind"]; note: string | null; lines: string[] }[] = [];
  lines.forEach((line, index) => {
    const text = shown[index];
    if (text === null || text === undefined) return;
    const last = blocks.at(-1);
    const kind = BLOCK_OF_ROLE[roles[index] ?? "new"];
    if (last !== undefined && (isBlank(line) || last.kind === kind)) last.lines.push(text);
    else if (!isBlank(line))
      blocks.push({ kind, note: kind === "quoted" ? attributionAt(lines, index) : null, lines: [text] });
  });
  return blocks
    .map(({ kind, note, lines: own }) => ({ kind, note, text: cleanText(own.join("\n")).trimEnd() }))
    .filter(({ text }) => text.trim() !== "");
}

/** The lines that say who wrote what is quoted below them and when; null where it begins without them. */
function attributionAt(lines: readonly Line[], at: number): string | null {
  const header = replyHeaderAt(lines, at);
  if (header > 0) return joined(lines.slice(at, at + header));
  if (!headerBlockAt(lines, at) && !unlabelledBlockAt(lines, at)) return null;
  const block = lines.slice(at, at + MAX_BLOCK_LINES);
  const end = block.findIndex(isBlank);
  return joined(end < 0 ? block : block.slice(0, end));
}

const joined = (lines: readonly Line[]): string => lines.map(({ text }) => text.trim()).join(" ");

const PAPER: Paint = { color: "black", background: "white" };

/** The texts of an HTML mail that a person doesn't see, by the rules of screening. Linear. */
function hiddenTexts(root: HtmlElement): ReadonlySet<HtmlText> {
  const hidden = new Set<HtmlText>();
  const classes = new Map<string, string>();
  const walk = (element: HtmlElement, above: Paint, concealed: boolean): void => {
    const paint = paintOf(element.name, element.attributes, above);
    const hides = concealed || hidesBy(element.attributes, paint, classes) !== null;
    for (const child of element.children) {
      if (child.kind === "element") walk(child, paint, hides);
      else if (element.name === "style")
        for (const [name, how] of hidingClasses(child.text)) classes.set(name, how);
      else if (hides) hidden.add(child);
    }
  };
  walk(root, PAPER, false);
  return hidden;
}
