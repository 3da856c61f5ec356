import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** A person's request to recover a key, as stored: only the hash of its letter's link is. */
export const RecoveryRecord = z.object({
  id: z.string().describe("The recovery's id."),
  email: z.string().describe("The address that the link is for."),
  link_hash: z
    .string()
    .nullable()
    .describe(
      "SHA-256 of the link's token; null until the letter is written, and when nobody is to get one.",
    ),
  created_at: Timestamp.describe("When it was asked for (ISO 8601, UTC)."),
  expires_at: Timestamp.describe("When the link stops working."),
});
export type RecoveryRecord = z.infer<typeof RecoveryRecord>;

/** The answer to every request to recover a key, whoever the address belongs to. */
export const Recovery = z.object({
  object: z.literal("recovery").default("recovery"),
  expires_at: Timestamp.describe(
    "When the link of the letter stops working: 30 minutes after it was asked for.",
  ),
});
export type Recovery = z.infer<typeof Recovery>;
