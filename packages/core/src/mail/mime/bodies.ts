import type { ParsedAttachment } from "../../model/parsed-mail.ts";

import { decodeEncodedWords } from "./encoded-words.ts";
import { bytesOf, textOf } from "./part-text.ts";
import type { MimePart } from "./parts.ts";
import { extractUuencoded } from "./uuencoded.ts";

/** Characters kept of each mail's text, and of its HTML. */
export const MAX_BODY_CHARS = 1_000_000;
const MAX_FILENAME_CHARS = 255;

/** A section of the body: one alternative, or one text part on its own. */
interface Slot {
  plain: string[];
  html: string[];
}

/** The readable body of a mail, and everything else as attachments. */
export interface Bodies {
  text: string;
  html: string | null;
  attachments: ParsedAttachment[];
  truncated: ("text" | "html")[];
}

/**
 * Sorts the parts of a mail into one text, one HTML body and attachments. Where a section has only one of the
 * two forms, the other is derived from it, so neither body loses a word. A nested mail is an attachment.
 */
export function assembleBodies(parts: MimePart[]): Bodies {
  const slots = new Map<string, Slot>();
  const attachments: ParsedAttachment[] = [];
  const truncated = new Set<"text" | "html">();
  const left = { plain: MAX_BODY_CHARS, html: MAX_BODY_CHARS };
  parts.forEach((part, index) => {
    if (!isBody(part)) {
      attachments.push(toAttachment(part));
      return;
    }
    const kind = part.type === "text/html" ? "html" : "plain";
    const read = textOf(part, left[kind]);
    left[kind] -= read.text.length;
    if (read.truncated) truncated.add(kind === "html" ? "html" : "text");
    const { text, files } = kind === "plain" ? extractUuencoded(read.text) : { text: read.text, files: [] };
    attachments.push(...files);
    const key = part.alternative === 0 ? `part-${index}` : `alternative-${part.alternative}`;
    const slot = slots.get(key) ?? { plain: [], html: [] };
    slot[kind].push(text);
    slots.set(key, slot);
  });
  return { ...join([...slots.values()]), attachments, truncated: [...truncated] };
}

function join(slots: Slot[]): { text: string; html: string | null } {
  const has_plain = slots.some((slot) => slot.plain.length > 0);
  const has_html = slots.some((slot) => slot.html.length > 0);
  const text = () =>
    slots.map((slot) => (slot.plain.length > 0 ? slot.plain.join("\n") : strip(slot.html.join("\n"))));
  const html = () =>
    slots.map((slot) => (slot.html.length > 0 ? slot.html.join("\n") : escape(slot.plain.join("\n"))));
  return { text: has_plain ? text().join("\n") : "", html: has_html ? html().join("\n") : null };
}

function isBody(part: MimePart): boolean {
  if (part.disposition.value === "attachment") return false;
  if (part.type === "text/plain" || part.type === "text/html")
    return part.first || filenameOf(part) === "" || part.alternative > 0;
  return part.root && /^text\/(?:enriched|richtext|markdown|x-markdown|x-amp-html)$/.test(part.type);
}

function toAttachment(part: MimePart): ParsedAttachment {
  const content_id = part.content_id === null ? "" : part.content_id.replace(/[\s<>\x00-\x1f\x7f]/g, "");
  const inline =
    part.disposition.value === "inline" ||
    (part.disposition.value === "" && part.related && content_id !== "");
  return {
    filename: filenameOf(part) || defaultName(part.type),
    content_type: part.type,
    content_id: content_id === "" ? null : content_id.slice(0, 998),
    disposition: inline ? "inline" : "attachment",
    bytes: bytesOf(part),
  };
}

function filenameOf(part: MimePart): string {
  const name = part.disposition.parameters.get("filename") || part.content_type.parameters.get("name") || "";
  return decodeEncodedWords(name)
    .replace(/[\x00-\x1f\x7f-\x9f]+/g, "")
    .slice(0, MAX_FILENAME_CHARS);
}

const EXTENSIONS: Record<string, string> = {
  "message/rfc822": "message.eml",
  "message/delivery-status": "delivery-status.txt",
  "message/feedback-report": "feedback-report.txt",
  "message/disposition-notification": "disposition-notification.txt",
  "text/rfc822-headers": "headers.txt",
  "text/calendar": "invite.ics",
  "text/csv": "attachment.csv",
  "text/html": "attachment.html",
  "text/plain": "attachment.txt",
  "application/pdf": "attachment.pdf",
  "image/png": "image.png",
  "image/jpeg": "image.jpg",
  "image/gif": "image.gif",
};

function defaultName(type: string): string {
  return EXTENSIONS[type] ?? "attachment";
}

function escape(text: string): string {
  return `<div>${text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/\n/g, "<br>\n")}</div>`;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/**
 * Approximate text of HTML-only parts, used only when the mail has text elsewhere. Linear: `[^<>]` can't run
 * past the end of a tag, and a run of blanks is examined only from its start.
 */
function strip(html: string): string {
  return html
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6])\b[^<>]{0,1000}>/gi, "\n")
    .replace(/<[a-z/!][^<>]*>/gi, "")
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/(?<![ \t])[ \t]+\n/g, "\n")
    .trim();
}
