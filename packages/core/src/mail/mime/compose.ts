import { createHash, type Hash } from "node:crypto";
import { fail } from "../../catalogue/errors.ts";
import type { MailAddress } from "../../model/parsed-mail.ts";
import { loadOnce } from "../load-once.ts";
import type { AttachmentToCompose } from "./compose-attachment.ts";
import { attachmentPart } from "./compose-attachment.ts";
import { boundReferences } from "./message-ids.ts";

const loadMailComposer = loadOnce(() => import("nodemailer/lib/mail-composer"));

/** A mail to compose. Bcc recipients belong only to the envelope, so there is no field for them. */
export interface MailToCompose {
  from: MailAddress;
  to: readonly (MailAddress | string)[];
  cc?: readonly (MailAddress | string)[];
  reply_to?: readonly (MailAddress | string)[];
  subject: string;
  text?: string | null;
  html?: string | null;
  /** `X-*`, `List-*`, `Auto-Submitted`, `Precedence` and `Feedback-ID` only. */
  headers?: Readonly<Record<string, string>>;
  attachments?: readonly AttachmentToCompose[];
  /** With or without angle brackets. */
  message_id: string;
  in_reply_to?: string | null;
  references?: readonly string[];
  /** ISO 8601. */
  date: string;
  /** The hash of what its parts are, from `beginBoundary`; by default it is taken here. */
  boundary?: string;
}

const ALLOWED_HEADER =
  /^(?:x-[a-z0-9-]{1,70}|list-[a-z-]{1,30}|auto-submitted|precedence|feedback-id|importance)$/i;
const ADDRESS = /^[^\s<>()[\]\\,;:"@]+@[^\s<>()\\,;:"@]+$|^"[^"\\\r\n]+"@[^\s<>()\\,;:"@]+$/;
const FORBIDDEN = /[\r\n\0]/;
/** Longer words that need encoding are in Base64, so that a mail grows by a third and no more. */
const LONG_WORDS_CHARS = 100_000;
const MAX_HEADER_VALUE_CHARS = 8_192;
const BOUNDARY_CHARS = 32;

/**
 * Composes a mail as RFC 5322 with CRLF line ends. The same input always gives the same bytes, so a retry is
 * identical. Fails with `invalid_header` for a line break or NUL in any header, and for a header name that
 * isn't allowed.
 */
export async function composeMail(mail: MailToCompose): Promise<Uint8Array> {
  const text = mail.text == null ? undefined : cleanBody(mail.text);
  const html = mail.html == null ? undefined : cleanBody(mail.html);
  const attachments = (mail.attachments ?? []).map(attachmentPart);
  const { default: MailComposer } = await loadMailComposer();
  const composer = new MailComposer({
    from: mailbox(mail.from, "from"),
    to: mail.to.map((entry) => mailbox(entry, "to")),
    cc: (mail.cc ?? []).map((entry) => mailbox(entry, "cc")),
    replyTo: (mail.reply_to ?? []).map((entry) => mailbox(entry, "reply_to")),
    subject: headerText(mail.subject, "subject"),
    messageId: messageId(mail.message_id, "message_id"),
    inReplyTo: earlierIds([mail.in_reply_to ?? ""], "in_reply_to")[0],
    references: boundReferences(earlierIds(mail.references ?? [], "references")),
    date: mailDate(mail.date),
    headers: Object.entries(mail.headers ?? {}).map(([key, value]) => customHeader(key, value)),
    text: text ?? (html === undefined ? "" : undefined),
    html,
    attachments,
    // Quoted-printable can make three bytes of each.
    ...((text?.length ?? 0) + (html?.length ?? 0) > LONG_WORDS_CHARS
      ? { textEncoding: "base64" as const }
      : {}),
    baseBoundary: (mail.boundary ?? hashOf(mail, attachments)).slice(0, BOUNDARY_CHARS),
    boundaryPrefix: "=_ls",
    newline: "win",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** A display name or subject; refuses what would break the header and removes other control characters. */
function headerText(text: string, param: string): string {
  if (FORBIDDEN.test(text)) throw fail("invalid_header", { param });
  return text.replace(/[\x01-\x1f\x7f\u0085\u2028\u2029]+/g, " ").slice(0, MAX_HEADER_VALUE_CHARS);
}

function mailbox(entry: MailAddress | string, param: string): MailAddress {
  const { address, name } = typeof entry === "string" ? { address: entry, name: "" } : entry;
  if (!ADDRESS.test(address) || FORBIDDEN.test(address)) throw fail("invalid_header", { param });
  return { address, name: headerText(name, param) };
}

function messageId(id: string, param: string): string {
  const bare = id.trim().replace(/^<|>$/g, "");
  if (!/^[\x21-\x3b\x3d\x3f-\x7e]+$/.test(bare)) throw fail("invalid_header", { param });
  return `<${bare}>`;
}

/** Message-IDs of earlier mails, chosen by strangers. Non-ASCII ones can't be written and are omitted. */
function earlierIds(ids: readonly string[], param: string): string[] {
  return ids.filter((id) => id.trim() !== "" && !/[^\x00-\x7f]/.test(id)).map((id) => messageId(id, param));
}

function customHeader(key: string, value: string): { key: string; value: string } {
  if (!ALLOWED_HEADER.test(key)) throw fail("invalid_header", { param: key.slice(0, 100) });
  return { key, value: headerText(value, key) };
}

function mailDate(date: string): Date {
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw fail("invalid_header", { param: "date" });
  return new Date(time);
}

function cleanBody(body: string): string {
  return body.replace(/\r\n?/g, "\n").replaceAll("\0", "");
}

/**
 * Begins the hash of all that a boundary separates, which its attachments' content follows: no body can contain it, and
 * equal mails get the same one.
 */
export const beginBoundary = ({ message_id, text, html }: Omit<MailToCompose, "attachments">): Hash =>
  createHash("sha256").update(JSON.stringify([message_id, text, html]));

function hashOf(mail: MailToCompose, attachments: { content: Buffer }[]): string {
  const hash = beginBoundary(mail);
  for (const { content } of attachments) hash.update(content);
  return hash.digest("hex");
}
