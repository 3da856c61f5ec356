import { z } from "zod";
import { EVENT_TYPES, type EventType, eventCatalogue } from "../catalogue/events.ts";
import { EVENT_DATA, type EventData } from "./events.ts";
import { Timestamp } from "./fields.ts";

/** The envelope around the data of every event: in webhooks, the feed and streams. */
export const Envelope = z.object({
  id: z.string().describe("The event's id; the same wherever and however often it is delivered."),
  object: z.literal("event").default("event"),
  type: z.enum(EVENT_TYPES).describe("What happened, and so what `data` holds."),
  schema_version: z.literal("1").default("1").describe("The version of the shape of events."),
  created_at: Timestamp.describe("When it happened (ISO 8601, UTC)."),
  account_id: z.string().describe("The account that it belongs to."),
  inbox_id: z.string().nullable().describe("The inbox that it belongs to; null for events of the account."),
  sequence: z
    .int()
    .describe("Its place in the account's feed: grows by one with each event, in the order of commits."),
  data: z.record(z.string(), z.unknown()).describe("The details of the event."),
});

/** An event as shown: `type` says what `data` holds. `Event<"message.held">` is an event of one type. */
export type Event<T extends EventType = EventType> = {
  [K in T]: Omit<z.infer<typeof Envelope>, "type" | "data"> & { type: K; data: EventData[K] };
}[T];
const VARIANTS = EVENT_TYPES.map((type) =>
  Envelope.extend({
    type: z.literal(type),
    data: EVENT_DATA[type].describe("What it happened to; the fields go with the type."),
  }).meta({ title: titleOf(type), description: eventCatalogue[type] }),
);
export const Event = z
  .discriminatedUnion("type", VARIANTS as [(typeof VARIANTS)[0], ...typeof VARIANTS])
  .meta({ title: "Event" }) as unknown as z.ZodType<Event, Event>;

/** An event as stored. */
export const EventRecord = Envelope.omit({ object: true, schema_version: true }).extend({
  message_id: z
    .string()
    .nullable()
    .describe(
      "The message that the snapshots in `data` belong to (`events.ts`); null if `data` is shown as stored.",
    ),
});
export type EventRecord = z.infer<typeof EventRecord>;

/**
 * A page of the feed. `next_cursor` is the last sequence examined, whether its event was shown or not, so that
 * continuing there misses nothing.
 */
export const EventPage = z.object({
  object: z.literal("list").default("list"),
  data: z.array(Event).describe("The events, oldest first."),
  has_more: z.boolean().describe("Whether there are more events to read at once."),
  next_cursor: z
    .string()
    .describe("The last sequence looked at, whether it was shown or not: going on there misses nothing."),
});

/** The point up to which an account's oldest events were deleted because of their age. */
export const EventFloorRecord = z.object({
  account_id: z.string().describe("The account that it belongs to."),
  sequence: z.int().describe("The newest sequence whose event is gone."),
});
export type EventFloorRecord = z.infer<typeof EventFloorRecord>;

/** `message.received` → `MessageReceivedEvent`. */
function titleOf(type: EventType): string {
  return `${type}_event`.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
