import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** An address, number or domain that the words of a stranger named, kept as a hash for 30 days. */
export const OutsideMentionRecord = z.object({
  account_id: z.string().describe("The account that the words came to."),
  hash: z.string().describe("The hash of what they named, made with the account's id."),
  message_id: z.string().describe("The message that named it, which may be gone."),
  inbox_id: z.string().describe("The inbox that it came to."),
  at: Timestamp.describe("When it came (ISO 8601, UTC)."),
  noted_at: Timestamp.nullable().describe(
    "The same on the first that was noted together; null on the others.",
  ),
  noted: z.array(z.string()).nullable().describe("On that one, the hashes of the others."),
});
export type OutsideMentionRecord = z.infer<typeof OutsideMentionRecord>;
