import { z } from "zod";
import { EVENT_TYPES } from "../catalogue/events.ts";
import { Timestamp } from "./fields.ts";

/** A reader of the feed whose position the service stores (decisions, section 9). */
export const Consumer = z.object({
  object: z.literal("event_consumer").default("event_consumer"),
  id: z.string(),
  client_id: z.string(),
  /** The types that it reads; an empty list means all. */
  types: z.array(z.enum(EVENT_TYPES)),
  inbox_id: z.string().nullable(),
  /** Everything up to here was committed; a poll starts after it. */
  cursor: z.string(),
  idempotent: z.boolean().default(false),
  created_at: Timestamp,
  committed_at: Timestamp.nullable(),
});
export type Consumer = z.infer<typeof Consumer>;

/** A consumer as stored; its cursor is a number that only increases. */
export const ConsumerRecord = Consumer.omit({ object: true, cursor: true, idempotent: true }).extend({
  account_id: z.string(),
  position: z.int(),
});
export type ConsumerRecord = z.infer<typeof ConsumerRecord>;
