import type { Services } from "../kernel/context.ts";
import { Event, type EventRecord } from "../model/feed.ts";
import { shownBy } from "../model/fields.ts";
import { fillEvents } from "./fill-events.ts";
import type { FeedPage } from "./read.ts";

type Reader = Pick<Services, "storage" | "options">;

/** A page of the feed as it is shown. */
export async function showPage(reader: Reader, { events, examined, more }: FeedPage) {
  return { data: await showEvents(reader, events), has_more: more, next_cursor: String(examined) };
}

/** The envelopes of events. */
export async function showEvents(reader: Reader, events: readonly EventRecord[]): Promise<Event[]> {
  return (await fillEvents(reader, events)).map((event) =>
    envelopeOf({ ...event, object: "event", schema_version: "1" }),
  );
}

const envelopeOf = shownBy(Event);
