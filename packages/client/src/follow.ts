import type { Event, EventType } from "@letterslot/core";
import { LetterslotApiError } from "./error.ts";
import { pause } from "./pause.ts";
import type { CallOptions } from "./request.ts";

/** Where to begin in the feed, and what of it to see. */
export interface FollowOptions {
  /**
   * A cursor (an event's `sequence`, or a `next_cursor`) or a time; without it the oldest event that is kept
   * comes first.
   */
  after?: string | number;
  types?: EventType[];
  inbox_id?: string;
  /** Ends the following; the iteration then throws its reason. */
  signal?: AbortSignal;
}

/** One page of the feed. */
interface FeedPage {
  data: Event[];
  has_more: boolean;
  next_cursor: string;
}

const waitSeconds = 25;
const pageEvents = 200;
const firstPauseMs = 500;
const longestPauseMs = 30_000;

/**
 * Every event of the feed after a place, for as long as it is asked for: pages of what is there, then waits
 * for what comes. It comes back after the connection or the server was away, and misses and repeats none.
 * Throws what trying again can't mend, such as `cursor_expired`.
 */
export async function* followFeed(
  list: (input: Record<string, unknown>, options: CallOptions) => Promise<FeedPage>,
  { after, signal, ...filter }: FollowOptions,
): AsyncGenerator<Event> {
  let cursor = after === undefined ? undefined : String(after);
  let failures = 0;
  for (;;) {
    signal?.throwIfAborted();
    const input = {
      ...filter,
      limit: pageEvents,
      wait: waitSeconds,
      ...(cursor === undefined ? {} : { after: cursor }),
    };
    let page: FeedPage;
    try {
      page = await list(input, signal === undefined ? {} : { signal });
      failures = 0;
    } catch (error) {
      if (!(error instanceof LetterslotApiError && error.retryable)) throw error;
      const asked = (error.retry_after_seconds ?? 0) * 1000;
      await pause(Math.max(asked, Math.min(longestPauseMs, firstPauseMs * 2 ** failures++)), signal);
      continue;
    }
    yield* page.data;
    cursor = page.next_cursor;
  }
}
