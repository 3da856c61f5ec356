import { z } from "zod";
import { EVENT_TYPES } from "../catalogue/events.ts";
import { Timestamp } from "./fields.ts";

/** A reader of the feed whose position the service stores. */
export const Consumer = z.object({
  object: z.literal("event_consumer").default("event_consumer"),
  id: z.string().describe("The consumer's id."),
  client_id: z.string().describe("The caller's own name for it, unique in the account."),
  types: z.array(z.enum(EVENT_TYPES)).describe("The event types that it reads; an empty list means all."),
  inbox_id: z.string().nullable().describe("The only inbox whose events it reads; null for all."),
  cursor: z.string().describe("Everything up to here was committed; a poll starts after it."),
  idempotent: z
    .boolean()
    .default(false)
    .describe("Whether this answer repeats an earlier create with the same client_id."),
  created_at: Timestamp.describe("When it was created (ISO 8601, UTC)."),
  committed_at: Timestamp.nullable().describe("When the cursor last moved; null before the first commit."),
});
export type Consumer = z.infer<typeof Consumer>;

/** A consumer as stored; its cursor is a number that only increases. */
export const ConsumerRecord = Consumer.omit({ object: true, cursor: true, idempotent: true }).extend({
  account_id: z.string().describe("The account that it belongs to."),
  position: z.int().describe("The cursor as a number that only increases."),
});
export type ConsumerRecord = z.infer<typeof ConsumerRecord>;
