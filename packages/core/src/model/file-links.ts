import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** An address that gives one file, to whoever has it, for a few minutes. */
export const FileLink = z.object({
  object: z.literal("file_link").default("file_link"),
  url: z
    .string()
    .describe(
      "Where to download the file, without a key. Only the hash of its word is kept: it is shown once.",
    ),
  expires_at: Timestamp.describe(
    "When the address ends (ISO 8601, UTC), if the key that made it doesn't end earlier.",
  ),
});
export type FileLink = z.infer<typeof FileLink>;

/** An address that shows one mail to whoever has it, for a few minutes. */
export const MessageView = z.object({
  object: z.literal("message_view").default("message_view"),
  url: z
    .string()
    .describe(
      "Where a browser shows the mail, without a key: its own HTML, in which nothing runs and that asks for nothing; else its text. Only the hash of its word is kept: it is shown once.",
    ),
  expires_at: Timestamp.describe(
    "When the address ends (ISO 8601, UTC), if the key or session that made it doesn't end earlier.",
  ),
  remote_images: z
    .int()
    .describe(
      "How many images of other servers the mail names and the view doesn't show, at most 50; a signed-in person sees them with `images: remote`.",
    ),
});
export type MessageView = z.infer<typeof MessageView>;

/** A remote image as it was fetched for a view. */
export const FetchedImage = z.object({
  url: z.string().describe("Where it was fetched from."),
  hash: z.string().describe("SHA-256 of its bytes, by which they are stored for an hour."),
  size_bytes: z.int().describe("Its size, in bytes."),
});
export type FetchedImage = z.infer<typeof FetchedImage>;

/** A link as stored: what it gives, and on whose behalf. */
export const FileLinkRecord = z.object({
  hash: z.string().describe("The hash of its word."),
  account_id: z.string().describe("The account that it belongs to."),
  inbox_id: z.string().describe("The inbox that has the file."),
  message_id: z.string().describe("The message that has the file, or the draft that is shown."),
  attachment_id: z.string().nullable().describe("The attachment; null for the raw mail."),
  made_by: z
    .enum(["key", "app", "owner", "person"])
    .describe("Who made it; `person` is one whom the embedding program signed in."),
  maker_id: z
    .string()
    .nullable()
    .describe(
      "Their key, the hash of their token, their session, or the person's address; null gives nobody's rights.",
    ),
  expires_at: Timestamp.describe("When it ends."),
  view: z
    .object({
      images: z.array(FetchedImage).describe("The remote images that it shows."),
      approval: z
        .object({
          id: z.string().describe("The approval."),
          digest: z.string().describe("What its reader has read."),
        })
        .optional()
        .describe("What the draft waits for; absent where it shows a message."),
    })
    .nullable()
    .describe("How it shows the message or draft; null for a link to a file."),
});
export type FileLinkRecord = z.infer<typeof FileLinkRecord>;
