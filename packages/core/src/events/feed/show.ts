import type { z } from "zod";
import { Envelope, type Event, type EventPage, type EventRecord } from "../../model/feed.ts";
import { shownBy } from "../../model/fields.ts";
import { type EventReader, fillEvents } from "./fill-events.ts";
import type { FeedPage } from "./read.ts";

/** A page of the feed as shown to callers. */
export async function showPage(
  reader: EventReader,
  { events, examined, more }: FeedPage,
): Promise<z.output<typeof EventPage>> {
  const data = await showEvents(reader, events);
  return { object: "list", data, has_more: more, next_cursor: String(examined) };
}

/** The envelopes of events. */
export async function showEvents(reader: EventReader, events: readonly EventRecord[]): Promise<Event[]> {
  return (await fillEvents(reader, events)).map(showFilled);
}

/** The envelope of an event that `fillEvents` filled in. */
export const showFilled = (event: EventRecord): Event =>
  envelopeOf({ ...event, object: "event", schema_version: "1" }) as Event;

const envelopeOf = shownBy(Envelope);
