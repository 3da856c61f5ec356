import { z } from "zod";
import type { EventType } from "../../catalogue/events.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { inboxesWithinReach } from "../../kernel/access/caller.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { takePlace } from "../../kernel/waiting.ts";
import { waitForFeed } from "./read.ts";
import type { FeedFilter, Start } from "./rules.ts";
import { showEvents } from "./show.ts";
import { newestSequence, resolveLastEventId, resolveStart } from "./start.ts";

/** An item of a stream of server-sent events: the cursor, the type, and the event. */
export interface StreamItem {
  id: string;
  event: string;
  data: unknown;
}

/** A stream as an answer; the server writes its items to the wire. */
export const EventStream = z.custom<AsyncIterable<StreamItem>>();

const EVENTS_PER_PAGE = 100;
/** The time for which a check of the caller's right stays valid. */
const RIGHT_IS_FRESH_MS = 50;

/**
 * Streams an account's events of the given types (none: all), beginning after `cursor`, after `after` or now, woken
 * by the writes themselves. Ends after 25 seconds; checks the caller's right before each event and fails once it has
 * ended. The first item is `open`, with the cursor that the stream begins at. Fails with `invalid_cursor`,
 * `cursor_expired`, and `rate_limited` when the caller has too many streams.
 */
export async function streamEvents(
  ctx: AccountContext,
  request: {
    types: readonly EventType[];
    inbox_id?: string | undefined;
    after?: Start | undefined;
    cursor: string | undefined;
  },
): Promise<AsyncIterable<StreamItem>> {
  const filter = { types: request.types, inbox_ids: inboxesWithinReach(ctx.caller, request.inbox_id) };
  const leave = await takePlace(ctx, LIMITS.stream_ms / 1000);
  try {
    return items(ctx, filter, await beginning(ctx, filter, request), leave);
  } catch (error) {
    leave();
    throw error;
  }
}

/** A reconnecting reader sends the last event that it saw, which overrides its original start. */
async function beginning(
  ctx: AccountContext,
  filter: FeedFilter,
  { cursor, after }: { cursor: string | undefined; after?: Start | undefined },
): Promise<number> {
  if (cursor !== undefined) return resolveLastEventId(ctx, cursor, filter);
  return after === undefined ? newestSequence(ctx) : resolveStart(ctx, after, filter);
}

async function* items(
  ctx: AccountContext,
  filter: FeedFilter,
  from: number,
  leave: () => void,
): AsyncGenerator<StreamItem> {
  try {
    yield* itemsUntilEnd(ctx, filter, from);
  } finally {
    leave();
  }
}

async function* itemsUntilEnd(
  ctx: AccountContext,
  filter: FeedFilter,
  from: number,
): AsyncGenerator<StreamItem> {
  const end = ctx.clock.now().getTime() + LIMITS.stream_ms;
  let examined = from;
  let checked_at = 0;
  const checkAgain = async () => {
    await ctx.rights.check();
    checked_at = ctx.clock.now().getTime();
  };
  // The first item has the start cursor, so that a reader that loses the connection early misses nothing.
  yield { id: String(examined), event: "open", data: { cursor: String(examined) } };
  for (;;) {
    const seconds = (end - ctx.clock.now().getTime()) / 1000;
    if (seconds <= 0 || ctx.signal?.aborted === true) break;
    const page = await waitForFeed(ctx, filter, examined, { limit: EVENTS_PER_PAGE, seconds });
    const events = await showEvents(ctx, page.events);
    if (events.length > 0) await checkAgain();
    for (const event of events) {
      // A slow reader takes an event long after the page was read.
      if (ctx.clock.now().getTime() - checked_at > RIGHT_IS_FRESH_MS) await checkAgain();
      yield { id: String(event.sequence), event: event.type, data: event };
    }
    examined = page.examined;
  }
}
