import { z } from "zod";
import { EVENT_TYPES, type EventType } from "../../catalogue/events.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { EventRecord } from "../../model/feed.ts";
import { readTime } from "../../model/times.ts";

/** The part of the feed to read: no types means all, no inbox means the whole account. */
export interface FeedFilter {
  types: readonly EventType[];
  inbox_ids: readonly string[] | undefined;
}

/** The position where a reader starts. */
export type Start = { sequence: number } | { after: Date };

const MAX_TYPES_CHARS = 2_000;

/** Event types in a query, repeated or comma-separated. Fails with `invalid_event_type`. */
export const TypesInput = z
  .union(
    [z.string().max(MAX_TYPES_CHARS), z.array(z.string().max(MAX_TYPES_CHARS)).max(EVENT_TYPES.length * 2)],
    {
      error: "invalid_event_type",
    },
  )
  .transform((words) => [words].flat().flatMap((word) => word.split(",")))
  .pipe(z.array(z.enum(EVENT_TYPES, { error: "invalid_event_type" })))
  .transform((types) => [...new Set(types)])
  .default([])
  .describe("The event types to read, repeated or separated by commas; all by default.");

/** The start position: a sequence cursor, or a time with an offset. Fails with `invalid_cursor`. */
export const AfterInput = z
  .string({ error: "invalid_cursor" })
  .max(64, { error: "invalid_cursor" })
  .transform((word, check): Start => {
    const start = startOf(word);
    if (start !== undefined) return start;
    check.addIssue({ code: "custom", message: "invalid_cursor" });
    return z.NEVER;
  })
  .describe("Where to start: a cursor, a time with its offset, or a date.");

/** Seconds to wait for an event, capped at the feed's maximum. */
export const FeedWait = z.coerce
  .number<number>({ error: "invalid_wait" })
  .int({ error: "invalid_wait" })
  .min(0, { error: "invalid_wait" })
  .transform((seconds) => Math.min(seconds, LIMITS.event_wait_max_seconds))
  .default(0)
  .describe(
    `How many seconds to wait for an event if there is none, up to ${LIMITS.event_wait_max_seconds}; 0 by default.`,
  );

/** Parses a cursor or a time; undefined when it is neither. */
export function startOf(word: string): Start | undefined {
  if (/^\d{1,15}$/.test(word)) return { sequence: Number(word) };
  const time = readTime(word);
  return time === undefined ? undefined : { after: new Date(time) };
}

/** Whether an event matches the filter. */
export function shows(
  { types, inbox_ids }: FeedFilter,
  event: Pick<EventRecord, "type" | "inbox_id">,
): boolean {
  if (types.length > 0 && !types.includes(event.type)) return false;
  return inbox_ids === undefined || (event.inbox_id !== null && inbox_ids.includes(event.inbox_id));
}
