import { keptParameters } from "../../model/media-type.ts";
import type { ParsedAttachment } from "../../model/parsed-mail.ts";

import { decodeEncodedWords } from "./encoded-words.ts";
import { typeByName } from "./media-types.ts";
import { bytesOf, textOf } from "./part-text.ts";
import type { MimePart } from "./parts.ts";
import { readTnef, type Tnef } from "./tnef.ts";
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
  /** The bytes of all parts, decoded, also of what was cut. */
  content_bytes: number;
}

/**
 * Sorts the parts of a mail into one text, one HTML body and attachments. Where a section has only one of the
 * two forms, the other is derived from it, so neither body loses a word. A nested mail is an attachment.
 */
export function assembleBodies(parts: MimePart[]): Bodies {
  const slots = new Map<string, Slot>();
  const attachments: ParsedAttachment[] = [];
  const truncated = new Set<"text" | "html">();
  let content_bytes = 0;
  const left = { plain: MAX_BODY_CHARS, html: MAX_BODY_CHARS };
  const packed_texts: string[] = [];
  parts.forEach((part, index) => {
    if (!isBody(part)) {
      const attachment = toAttachment(part);
      content_bytes += attachment.bytes.length;
      const packed = isTnef(attachment) ? readTnef(attachment.bytes) : undefined;
      attachments.push(...(packed?.files ?? []).map(toFile), attachment);
      if (packed !== undefined && packed.text.trim() !== "") packed_texts.push(packed.text);
      return;
    }
    const kind = part.type === "text/html" ? "html" : "plain";
    const read = textOf(part, left[kind]);
    content_bytes += read.bytes;
    left[kind] -= read.text.length;
    if (read.truncated) truncated.add(kind === "html" ? "html" : "text");
    const { text, files } = kind === "plain" ? extractUuencoded(read.text) : { text: read.text, files: [] };
    attachments.push(...files);
    const key = part.alternative === 0 ? `part-${index}` : `alternative-${part.alternative}`;
    const slot = slots.get(key) ?? { plain: [], html: [] };
    slot[kind].push(text);
    slots.set(key, slot);
  });
  const bodies = join([...slots.values()]);
  const rest = { attachments, content_bytes };
  const [packed] = packed_texts;
  // Outlook's package repeats the text beside it, or has all there is.
  if (packed === undefined || bodies.text.trim() !== "" || bodies.html !== null)
    return { ...bodies, ...rest, truncated: [...truncated] };
  if (packed.length > MAX_BODY_CHARS) truncated.add("text");
  return { ...rest, text: packed.slice(0, MAX_BODY_CHARS), html: null, truncated: [...truncated] };
}

const isTnef = ({ content_type, filename }: ParsedAttachment): boolean =>
  /^application\/(?:vnd\.)?ms-tnef$/.test(content_type) || /^winmail\.dat$/i.test(filename);

/** A file of Outlook's package as an attachment of its own; the package stays too. */
const toFile = ({ filename, bytes }: Tnef["files"][number]): ParsedAttachment => {
  const name = cleanName(filename) || "attachment";
  return {
    filename: name,
    content_type: typeByName(name) ?? "application/octet-stream",
    content_id: null,
    disposition: "attachment",
    bytes,
  };
};

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
  const parameters = keptParameters(part.content_type.parameters);
  return {
    filename: filenameOf(part) || defaultName(part.type),
    content_type: typeOf(part),
    ...(parameters === undefined ? {} : { parameters }),
    content_id: content_id === "" ? null : content_id.slice(0, 998),
    disposition: inline ? "inline" : "attachment",
    bytes: bytesOf(part),
  };
}

/** The type of an attachment: where none is stated, what the name says. */
const typeOf = (part: MimePart): string =>
  part.is_typed ? part.type : (typeByName(filenameOf(part)) ?? part.type);

function filenameOf(part: MimePart): string {
  const name = part.disposition.parameters.get("filename") || part.content_type.parameters.get("name") || "";
  return cleanName(decodeEncodedWords(name));
}

const cleanName = (name: string): string =>
  name.replace(/[\x00-\x1f\x7f-\x9f]+/g, "").slice(0, MAX_FILENAME_CHARS);

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
