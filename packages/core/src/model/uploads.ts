import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** A file that is sent to the service by itself, to be attached to mail by its id. */
export const Upload = z.object({
  object: z.literal("upload").default("upload"),
  id: z.string().describe("The upload's id, which `attachments` take as `upload_id`."),
  inbox_id: z.string().describe("The inbox from which it may be sent."),
  status: z
    .enum(["waiting", "ready"])
    .describe("Whether its bytes are here: `waiting` before the PUT to `put_url`, `ready` after it."),
  filename: z
    .string()
    .describe("The name of the file, without quotes, control characters and path separators."),
  content_type: z.string().describe("The media type with which it is sent, such as `application/pdf`."),
  size_bytes: z
    .int()
    .nullable()
    .describe("The size of the file in bytes; while it is waiting the size that was declared, or null."),
  sha256: z.string().nullable().describe("The SHA-256 of its bytes in hex; null while it is waiting."),
  created_at: Timestamp.describe("When it was created (ISO 8601, UTC)."),
  expires_at: Timestamp.describe(
    "When it is deleted (ISO 8601, UTC): a waiting one when its `put_url` ends, a ready one when no mail has used it for 24 hours.",
  ),
});
export type Upload = z.infer<typeof Upload>;

/** A new upload, with the address that takes its bytes, which is shown only once. */
export const NewUpload = Upload.extend({
  put_url: z
    .string()
    .describe(
      'Where to send the bytes, without a key: one PUT, such as `curl -T report.pdf "$URL"`, within 15 minutes. Only the hash of its word is kept.',
    ),
}).meta({ title: "CreatedUpload" });
export type NewUpload = z.infer<typeof NewUpload>;

/** An upload as stored. */
export const UploadRecord = Upload.omit({ object: true }).extend({
  account_id: z.string().describe("The account that it belongs to."),
  root_account_id: z.string().describe("The account whose waiting uploads are limited together."),
  word_hash: z.string().describe("The hash of the word in its `put_url`."),
  put_until: Timestamp.describe("Until when a PUT may begin."),
});
export type UploadRecord = z.infer<typeof UploadRecord>;
