import { z } from "zod";
import { eventTypes } from "../catalogue/events.ts";
import { Timestamp } from "./fields.ts";

/** The one envelope of webhooks, feed and streams (decisions, section 9). */
export const Event = z.object({
  id: z.string(),
  object: z.literal("event").default("event"),
  type: z.enum(eventTypes),
  schema_version: z.literal("1").default("1"),
  created_at: Timestamp,
  account_id: z.string(),
  inbox_id: z.string().nullable(),
  /** Grows by one per account, in commit order. */
  sequence: z.int(),
  data: z.record(z.string(), z.unknown()),
});
export type Event = z.infer<typeof Event>;

/** An event as stored. */
export const EventRecord = Event.omit({ object: true, schema_version: true }).extend({
  /**
   * The message that `data` tells of: what of it and of its task never changes is left out of `data`
   * (`feed/fill.ts`).
   */
  message_id: z.string().nullable(),
});
export type EventRecord = z.infer<typeof EventRecord>;

/**
 * A page of the feed. `next_cursor` is the last sequence looked at, whether it was shown or not: going on
 * there misses nothing.
 */
export const EventPage = z.object({
  object: z.literal("list").default("list"),
  data: z.array(Event),
  has_more: z.boolean(),
  next_cursor: z.string(),
});

/** How far an account's oldest events are gone because of their age. */
export const EventFloorRecord = z.object({ account_id: z.string(), sequence: z.int() });
export type EventFloorRecord = z.infer<typeof EventFloorRecord>;
