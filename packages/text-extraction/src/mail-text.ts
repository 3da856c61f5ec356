import { htmlToText, parseMail } from "@letterslot/core/mail";
import { type ClippedText, clipText } from "./clipped-text.ts";
import type { Limits } from "./limits.ts";

/** Mails in a mail in a mail are read to this depth. */
const MAX_DEPTH = 3;
/** Attachments that are named, and mails that are read, in all. */
const MAX_NAMED = 100;

/** The text of an attached mail: its sender, recipients, date and subject, its words, and its attachments' names. */
export async function readMailText(bytes: Uint8Array, { chars }: Limits): Promise<ClippedText> {
  const left = { named: MAX_NAMED };
  const clipped = clipText((await linesOf(bytes, left, 0)).join("\n").trim(), chars);
  return { ...clipped, truncated: clipped.truncated || left.named <= 0 };
}

async function linesOf(bytes: Uint8Array, left: { named: number }, depth: number): Promise<string[]> {
  const mail = await parseMail(bytes);
  const { from, to, cc, date, subject, text, html, attachments } = mail;
  const lines = [
    ["From", peopleOf(from)],
    ["To", peopleOf(to)],
    ["Cc", peopleOf(cc)],
    ["Date", date ?? ""],
    ["Subject", subject],
  ].flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}`]));
  lines.push("", text.trim() === "" && html !== null ? htmlToText(html) : text.trim());
  for (const { filename, content_type, bytes: file } of attachments) {
    left.named -= 1;
    if (left.named < 0) break;
    lines.push("", `Attachment: ${filename} (${content_type}, ${file.length} bytes)`);
    const is_mail = /^message\/(?:rfc822|global)$/.test(content_type) && depth < MAX_DEPTH;
    // A file that only claims to be a mail has no text here.
    if (is_mail) lines.push(...(await linesOf(file, left, depth + 1).catch(() => [])));
  }
  return lines;
}

const peopleOf = (people: readonly { address: string; name: string }[]): string =>
  people
    .map(({ address, name }) => (name === "" ? address : address === "" ? name : `${name} <${address}>`))
    .join(", ");
