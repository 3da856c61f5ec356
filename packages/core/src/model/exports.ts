import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** An export of an account as shown: a zip that is made beside other work and can be downloaded for a day. */
export const AccountExport = z.object({
  object: z.literal("account_export").default("account_export"),
  id: z.string().describe("The export's id."),
  status: z
    .enum(["pending", "ready", "failed"])
    .describe("`pending` while the zip is being made, `ready` once it can be downloaded, else `failed`."),
  held_content: z
    .boolean()
    .describe("Whether held mail is in it with its content: only in exports that a person asked for."),
  size_bytes: z.int().nullable().describe("How large the zip is, in bytes; null until it is ready."),
  url: z.string().nullable().describe("The download URL for whoever requested it; null until it is ready."),
  created_at: Timestamp.describe("When it was asked for (ISO 8601, UTC)."),
  ready_at: Timestamp.nullable().describe("When the zip was finished (ISO 8601, UTC); null until then."),
  expires_at: Timestamp.describe("When it is deleted (ISO 8601, UTC): 24 hours after it became ready."),
});
export type AccountExport = z.infer<typeof AccountExport>;

/** An export as stored. */
export const ExportRecord = AccountExport.omit({ object: true, url: true }).extend({
  account_id: z.string().describe("The account that is exported."),
  asked_by: z
    .string()
    .describe("Who requested it, and alone may download it: the id of a key, or a person's address."),
  pending_for: z
    .string()
    .nullable()
    .describe(
      "Who waits for it, as `asked_by`: nobody has two in progress. Null once it is ready or failed.",
    ),
});
export type ExportRecord = z.infer<typeof ExportRecord>;

/** A piece of an export's zip; the bytes are a blob. */
export const ExportPartRecord = z.object({
  export_id: z.string().describe("The export."),
  number: z.int().describe("Its place in the zip, from 0."),
  hash: z.string().describe("SHA-256 of its bytes, by which they are stored."),
});
export type ExportPartRecord = z.infer<typeof ExportPartRecord>;
