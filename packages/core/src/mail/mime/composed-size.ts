import type { MailToCompose } from "./compose.ts";
import { type AttachmentToCompose, attachmentPart } from "./compose-attachment.ts";

/** An attachment to measure. `read` gives its bytes; only those of nested mails near the limit are read. */
export interface AttachmentToMeasure extends Omit<AttachmentToCompose, "bytes"> {
  size_bytes: number;
  read(): Promise<Uint8Array>;
}

/** A mail to measure. */
export interface MailToMeasure extends Omit<MailToCompose, "attachments"> {
  attachments: readonly AttachmentToMeasure[];
  /** Composes a mail with empty attachments, as it would be sent, and returns its size in bytes. */
  sizeOf(mail: MailToCompose): Promise<number>;
}

/** Characters in a line of Base64 (RFC 2045, section 6.8). */
const BASE64_LINE_CHARS = 76;
/** More than quoted-printable makes of a byte, with its soft line breaks. */
const MAX_BYTES_PER_BODY_BYTE = 3.5;
/** More than the text of some HTML is longer than that: each line repeats the marks of its quotes. */
const MAX_TEXT_PER_HTML = 5;
/** More than all header fields and the heads of 100 attachments take. */
const MAX_OVERHEAD_BYTES = 2 * 1024 * 1024;

const LINE_FEED = 0x0a;
const NO_BYTES = new Uint8Array();

/**
 * Whether a composed mail would have at most `max_bytes`: exact, and without composing attachments.
 * Nearly all mail is far from the limit, which its sizes alone show.
 */
export async function fitsWhenComposed(mail: MailToMeasure, max_bytes: number): Promise<boolean> {
  const { attachments, sizeOf, ...words } = mail;
  const text = mail.text ?? "";
  const html = mail.html ?? "";
  const html_bytes = Buffer.byteLength(html) * (text === "" ? 1 + MAX_TEXT_PER_HTML : 1);
  const body_bytes = (Buffer.byteLength(text) + html_bytes) * MAX_BYTES_PER_BODY_BYTE;
  // Line ends of a nested mail may double.
  const at_most = attachments.reduce((sum, { size_bytes }) => sum + 2 * size_bytes, 0);
  if (at_most + body_bytes + MAX_OVERHEAD_BYTES <= max_bytes) return true;

  const measured = await Promise.all(attachments.map(measure));
  const attached = measured.reduce((sum, { composed_bytes }) => sum + composed_bytes, 0);
  if (attached > max_bytes) return false;
  if (attached + body_bytes + MAX_OVERHEAD_BYTES <= max_bytes) return true;
  const rest = await sizeOf({ ...words, attachments: measured.map(({ empty }) => empty) });
  // The end of a mail that is nothing but an attachment.
  const last = text === "" && html === "" && measured.length === 1 && measured[0]?.ends_line === false;
  return rest + attached + (last ? "\r\n".length : 0) <= max_bytes;
}

/** An attachment's size in the mail, and the attachment without bytes. */
async function measure({ size_bytes, read, ...shown }: AttachmentToMeasure) {
  const is_nested = /^message\//i.test(shown.content_type);
  const part = is_nested ? attachmentPart({ ...shown, bytes: await read() }) : undefined;
  if (part?.contentTransferEncoding === "7bit")
    return {
      empty: { ...shown, bytes: NO_BYTES },
      composed_bytes: part.content.length,
      ends_line: part.content.length === 0 || part.content.at(-1) === LINE_FEED,
    };
  // Without bytes, every nested mail would be sent as it is.
  const content_type = part?.contentType ?? shown.content_type;
  return {
    empty: { ...shown, content_type, bytes: NO_BYTES },
    composed_bytes: base64Bytes(size_bytes),
    ends_line: size_bytes === 0,
  };
}

/** The bytes of a file of so many bytes, in lines of Base64. */
export function base64Bytes(size_bytes: number): number {
  const chars = 4 * Math.ceil(size_bytes / 3);
  return chars + 2 * Math.floor(Math.max(0, chars - 1) / BASE64_LINE_CHARS);
}
