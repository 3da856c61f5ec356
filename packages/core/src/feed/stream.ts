import { z } from "zod";
import type { AccountContext } from "../context.ts";
import { fail } from "../errors.ts";
import type { EventType } from "../events.ts";
import { limits } from "../limits.ts";
import { channels } from "../unit-of-work.ts";
import { waitFor } from "../waiting.ts";
import { Event, type EventRecord } from "./schema.ts";

/** One item of a stream, as server-sent events carry it: the cursor, the type, and the envelope. */
export interface StreamItem {
  id: string;
  event: string;
  data: unknown;
}

/** A stream as an answer; the edge writes its items to the wire. */
export const EventStream = z.custom<AsyncIterable<StreamItem>>();

const step = 100;

/**
 * Streams an account's events of the given types, beginning after `cursor` or now, woken by the writes themselves; ends after 25
 * seconds. The first item is `open`, with the cursor that the stream begins at. Fails with `invalid_cursor`.
 */
export async function streamEvents(
  ctx: AccountContext,
  { types, cursor }: { types: readonly EventType[]; cursor: string | undefined },
): Promise<AsyncIterable<StreamItem>> {
  const from = cursor === undefined ? await newestSequence(ctx) : readCursor(cursor);
  return items(ctx, types, from);
}

async function* items(ctx: AccountContext, types: readonly EventType[], from: number): AsyncGenerator<StreamItem> {
  const { account_id, clock, storage, caller } = ctx;
  const end = clock.now().getTime() + limits.stream_ms;
  let sequence = from;
  // The first item tells where the stream begins, so that a reader whose connection breaks before any event misses none.
  yield { id: String(sequence), event: "open", data: { cursor: String(sequence) } };
  for (;;) {
    const seconds = (end - clock.now().getTime()) / 1000;
    if (seconds <= 0 || ctx.signal?.aborted === true) break;
    const look = async (): Promise<EventRecord[] | undefined> => {
      const order = { by: "sequence", direction: "asc" } as const;
      const found = await storage.find("events", { where: { account_id, sequence: { gt: sequence } }, order, limit: step });
      return found.length === 0 ? undefined : found;
    };
    const events = (await waitFor(ctx, { channel: channels.events(account_id), seconds, look })) ?? [];
    for (const event of events) {
      sequence = event.sequence;
      const shown = types.includes(event.type) && (caller.inbox_id === null || event.inbox_id === caller.inbox_id);
      if (shown) yield { id: String(sequence), event: event.type, data: Event.parse(event) };
    }
  }
}

async function newestSequence({ storage, account_id }: AccountContext): Promise<number> {
  return (await storage.get("accounts", account_id))?.event_sequence ?? 0;
}

function readCursor(cursor: string): number {
  const sequence = Number(cursor);
  if (!Number.isSafeInteger(sequence) || sequence < 0) throw fail("invalid_cursor", { param: "Last-Event-ID" });
  return sequence;
}
