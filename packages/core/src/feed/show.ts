import type { FeedPage } from "./read.ts";
import { Event, type EventRecord } from "./schema.ts";

/** A page of the feed as it is shown. */
export function showPage({ events, examined, more }: FeedPage) {
  return { data: events.map(showEvent), has_more: more, next_cursor: String(examined) };
}

/** The envelope of an event. */
export function showEvent(event: EventRecord): Event {
  return Event.parse(event);
}
