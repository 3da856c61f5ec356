import type { Event, EventType } from "@letterslot/core";
import { LetterslotApiError } from "./error.ts";
import { pause } from "./pause.ts";
import type { CallOptions } from "./request.ts";

/** The starting position in the event feed, and the events to read. */
export interface FollowOptions {
  /**
   * Start after this cursor (an event's `sequence` or a `next_cursor`) or time; by default, at the oldest
   * retained event.
   */
  after?: string | number;
  types?: EventType[];
  inboxId?: string;
  /** Stops reading; the iteration then throws the signal's reason. */
  signal?: AbortSignal;
}

interface FeedPage {
  data: Event[];
  has_more: boolean;
  next_cursor: string;
}

const WAIT_SECONDS = 25;
const PAGE_EVENTS = 200;
const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/**
 * Yields every event after a cursor, endlessly: first the stored pages, then new events as they arrive (long
 * polling). Reconnects after an outage without missing or repeating an event. Throws errors that a retry
 * can't fix, such as `cursor_expired`.
 */
export async function* followFeed(
  list: (input: Record<string, unknown>, options: CallOptions) => Promise<FeedPage>,
  { after, signal, types, inboxId }: FollowOptions,
): AsyncGenerator<Event> {
  let cursor = after === undefined ? undefined : String(after);
  let failures = 0;
  for (;;) {
    signal?.throwIfAborted();
    const input = {
      ...(types === undefined ? {} : { types }),
      ...(inboxId === undefined ? {} : { inbox_id: inboxId }),
      limit: PAGE_EVENTS,
      wait: WAIT_SECONDS,
      ...(cursor === undefined ? {} : { after: cursor }),
    };
    let page: FeedPage;
    try {
      page = await list(input, signal === undefined ? {} : { signal });
      failures = 0;
    } catch (error) {
      if (!(error instanceof LetterslotApiError && error.retryable)) throw error;
      const retry_after_ms = (error.retry_after_seconds ?? 0) * 1000;
      await pause(
        Math.max(retry_after_ms, Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** failures++)),
        signal,
      );
      continue;
    }
    yield* page.data;
    cursor = page.next_cursor;
  }
}
