import { z } from "zod";
import { Timestamp } from "./fields.ts";

/**
 * An address that the account's inboxes don't write to: it bounced hard, its owner complained, or a caller
 * said so (decisions, section 11).
 */
export const Suppression = z.object({
  object: z.literal("suppression").default("suppression"),
  id: z.string(),
  address: z.string(),
  reason: z.enum(["bounce", "complaint", "manual"]),
  /** The message that bounced or drew a complaint; null for manual entries. */
  source_message_id: z.string().nullable(),
  created_at: Timestamp,
});
export type Suppression = z.infer<typeof Suppression>;

/** A suppression as stored. */
export const SuppressionRecord = Suppression.omit({ object: true }).extend({
  account_id: z.string(),
  /** The inbox of the source message: a key limited to it sees the suppression. */
  inbox_id: z.string().nullable(),
});
export type SuppressionRecord = z.infer<typeof SuppressionRecord>;
