import { type MediaType, mediaTypeText, readMediaType } from "../../model/media-type.ts";
import { cleanFilename, sentContentId } from "../attachments.ts";

/** An attachment in the form that nodemailer's composer takes. */
export interface AttachmentPart {
  filename: string;
  contentType: string;
  contentDisposition: "inline" | "attachment";
  contentTransferEncoding: "base64" | "7bit";
  cid?: string;
  content: Buffer;
}

/**
 * Prepares an attachment for composing: a clean file name, and its media type with parameters. A nested mail that isn't 7-bit with short lines becomes `application/octet-stream`,
 * because message/* must not be encoded (RFC 2046 section 5.2.1).
 */
export function attachmentPart(attachment: AttachmentToCompose): AttachmentPart {
  const content = Buffer.from(
    attachment.bytes.buffer,
    attachment.bytes.byteOffset,
    attachment.bytes.byteLength,
  );
  const declared = readMediaType(attachment.content_type);
  const is_file = declared === undefined || declared.type.startsWith("multipart/");
  const { type, parameters } = is_file ? UNKNOWN : declared;
  const nested = type.startsWith("message/");
  const as_is = nested && isPlainLines(content);
  const content_id = sentContentId(attachment.content_id ?? "");
  return {
    filename: cleanFilename(attachment.filename),
    contentType: mediaTypeText(
      nested && !as_is
        ? UNKNOWN
        : { type, parameters: { ...parameters, ...(is_file ? {} : attachment.parameters) } },
    ),
    contentDisposition: attachment.disposition ?? (content_id === "" ? "attachment" : "inline"),
    contentTransferEncoding: as_is ? "7bit" : "base64",
    ...(content_id === "" ? {} : { cid: content_id }),
    content: as_is ? Buffer.from(content.toString("latin1").replace(/\r?\n/g, "\r\n"), "latin1") : content,
  };
}

const UNKNOWN: MediaType = { type: "application/octet-stream", parameters: {} };

const MAX_LINE_BYTES = 998;

/** Whether bytes are 7-bit with short lines, so that a mail may hold them as a mail (RFC 2046, section 5.2.1). */
export function isPlainLines(content: Buffer): boolean {
  let length = 0;
  for (let at = 0; at < content.length; at += 1) {
    const byte = content[at] ?? 0;
    if (byte === 0 || byte > 0x7f || (byte === 0x0d && content[at + 1] !== 0x0a)) return false;
    length = byte === 0x0a ? 0 : length + 1;
    if (length > MAX_LINE_BYTES) return false;
  }
  return true;
}

/** An attachment to send. A `content_id` embeds an image in the HTML (RFC 2392). */
export interface AttachmentToCompose {
  filename: string;
  content_type: string;
  /** Beside those in `content_type`. */
  parameters?: Record<string, string> | undefined;
  content_id?: string | null;
  disposition?: "inline" | "attachment";
  bytes: Uint8Array;
}
