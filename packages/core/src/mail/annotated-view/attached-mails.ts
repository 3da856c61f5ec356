import { LIMITS } from "../../catalogue/limits.ts";
import type { ParsedMail } from "../../model/parsed-mail.ts";
import { parseMail } from "../parse.ts";
import { type MarkedBlock, markedBlocks } from "./blocks.ts";
import { cleanLine } from "./frame.ts";

/** Mails in a mail in an attached mail are read to this depth. */
const MAX_DEPTH = 3;
const MAX_NAME_CHARS = 150;
const MAX_NAMES = 20;
const IS_MAIL = /^message\/(?:rfc822|global)$/;

/** A mail that is attached to the one that is shown. */
export interface AttachedMail {
  /** The id of the attachment. */
  id: string;
  bytes: Uint8Array;
}

/**
 * The blocks of attached mails, and of mails in them: each one's words as quoted from a stranger, with who wrote them,
 * when and under what subject, then what a person doesn't see of them. What is no mail has none.
 */
export async function attachedBlocks(attached: readonly AttachedMail[]): Promise<MarkedBlock[]> {
  const left = { mails: LIMITS.marked_attached_mails };
  const blocks: MarkedBlock[] = [];
  for (const { id, bytes } of attached) blocks.push(...(await blocksOf(id, bytes, left, 0)));
  return blocks;
}

async function blocksOf(
  attachment: string,
  bytes: Uint8Array,
  left: { mails: number },
  depth: number,
): Promise<MarkedBlock[]> {
  if (--left.mails < 0 || depth > MAX_DEPTH) return [];
  // A file that only claims to be a mail has no words here.
  const mail = await parseMail(bytes).catch(() => undefined);
  if (mail === undefined) return [];
  const { text, html, subject, attachments } = mail;
  const own = markedBlocks({ text, html, subject, is_reply: false });
  const words = own.filter(({ kind }) => kind !== "hidden").map((block) => block.text);
  const files = attachments.map(({ filename }) => JSON.stringify(cleanLine(filename, MAX_NAME_CHARS)));
  const more = files.length - MAX_NAMES;
  const listed = `Attached to it: ${files.slice(0, MAX_NAMES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const blocks: MarkedBlock[] = [
    {
      kind: "attached",
      note: originOf(mail),
      text: [...words, ...(files.length === 0 ? [] : [listed])].join("\n"),
      attachment,
    },
    ...own
      .filter(({ kind }) => kind === "hidden")
      .map((block) => ({ ...block, note: `${block.note}, in attachment ${attachment}` })),
  ];
  for (const file of attachments.filter(({ content_type }) => IS_MAIL.test(content_type)))
    blocks.push(...(await blocksOf(attachment, file.bytes, left, depth + 1)));
  return blocks;
}

/** Describes author, date and subject as the mail claims them. */
function originOf({ from: [author], date, subject }: ParsedMail): string {
  const { name = "", address = "" } = author ?? {};
  const who = name === "" ? address || "no author" : `${name} <${address}>`;
  return `${who}, ${date ?? "no date"}: ${subject || "no subject"}`;
}
