import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** An attachment as shown in its message: metadata only (interface, "Attachment"). */
export const Attachment = z.object({
  object: z.literal("attachment").default("attachment"),
  id: z.string().describe("The attachment's id."),
  filename: z
    .string()
    .describe("The name of the file, without quotes, control characters and path separators."),
  content_type: z
    .string()
    .describe(
      "The media type that the sender stated, such as `application/pdf`; by the file's name where none was stated.",
    ),
  parameters: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      "The parameters of the media type by name, such as `method` of an invitation and `charset`; absent without any.",
    ),
  content_id: z
    .string()
    .nullable()
    .describe("The Content-ID by which an HTML body refers to it, without angle brackets; null without one."),
  disposition: z
    .enum(["inline", "attachment"])
    .describe("Whether it is shown within the body or attached to it."),
  size_bytes: z.int().describe("The size of the decoded file, in bytes."),
  url: z.string().describe("Where to download it, with the same key."),
  text_url: z
    .string()
    .optional()
    .describe("Where to read its text; absent for types that text can't be extracted from."),
});
export type Attachment = z.infer<typeof Attachment>;

/** An attachment as stored in its message; its URLs follow from its ids. */
export const StoredAttachment = Attachment.omit({ object: true, url: true, text_url: true }).extend({
  hash: z.string().describe("SHA-256 of its bytes, by which they are stored."),
});
export type StoredAttachment = z.infer<typeof StoredAttachment>;

/** Which message uses which bytes, so that bytes are deleted with the last message that uses them. */
export const BlobUseRecord = z.object({
  hash: z.string().describe("SHA-256 of the bytes."),
  message_id: z.string().describe("The message, draft, upload or export that uses them."),
});
export type BlobUseRecord = z.infer<typeof BlobUseRecord>;

/** Which message or draft has an attachment, by which it is found from its id alone. */
export const AttachmentPlaceRecord = z.object({
  attachment_id: z.string().describe("The attachment."),
  message_id: z.string().describe("The message or draft that has it, also in the trash."),
});
export type AttachmentPlaceRecord = z.infer<typeof AttachmentPlaceRecord>;

/** The result of reading bytes as a kind of file: the text, or the error code. */
export const AttachmentTextRecord = z.object({
  hash: z.string().describe("SHA-256 of the bytes that were read."),
  kind: z
    .string()
    .describe(
      "The kind of file that they were read as; of text with a stated charset also that: `text koi8-r`.",
    ),
  failure: z
    .enum(["attachment_too_large", "text_extraction_failed"])
    .nullable()
    .describe("The error code, if they could not be read; null otherwise."),
  text: z.string().describe("The text; empty if there is none."),
  truncated: z.boolean().describe("Whether the text was longer than what is kept."),
  created_at: Timestamp.describe("When they were read (ISO 8601, UTC)."),
});
export type AttachmentTextRecord = z.infer<typeof AttachmentTextRecord>;

/** The kinds of file whose text can be read. */
export type TextKind = "text" | "html" | "pdf" | "docx" | "xlsx" | "xls" | "mail";

/** Bytes to download, with the headers that make them safe to open. */
export interface Download {
  bytes: Uint8Array;
  headers: Record<string, string>;
}

/** Bytes to download that are read as they are sent, with their headers. */
export interface StreamedDownload {
  stream: AsyncGenerator<Uint8Array>;
  headers: Record<string, string>;
}

/** Bytes as a response, sent unchanged. An operation may read them as they are sent: the gate collects them for others. */
export const Download = z.custom<Download>() as unknown as z.ZodType<Download, Download | StreamedDownload>;

/** Streamed bytes as a response, sent unchanged. */
export const StreamedDownload = z.custom<StreamedDownload>();

/**
 * The text of a file; empty when it has none. `truncated`: the text is longer than
 * `LIMITS.attachment_text_chars`.
 */
export interface ExtractedText {
  text: string;
  truncated: boolean;
}
