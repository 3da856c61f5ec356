import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, type EventType, LetterslotApiError, type LetterslotEvent } from "@letterslot/client";
import { signingKeysOf } from "@letterslot/core/internal";
import { createCommits } from "./commits.ts";
import { isTaken, type Posted, postEvent, type Receiver } from "./post-event.ts";
import type { FeedStart } from "./start-of.ts";

/** Options for `listen`. */
export interface ListenOptions {
  url: string;
  /** `whsec_…`: the secret with which the receiver verifies. */
  secret: string;
  /** No types: all. */
  types: readonly EventType[];
  inboxId?: string;
  /** Forward again from here on, instead of from where an earlier run ended. */
  replay?: FeedStart;
  /** Ends when all that has happened so far is forwarded. */
  once: boolean;
}

/** One attempt to forward an event. */
export interface Attempt extends Posted {
  event: LetterslotEvent;
  /** 1 at the first. */
  attempt: number;
  /** When the next one is made; null when the event was taken or the last one failed. */
  retry_in_ms: number | null;
}

/** Callbacks for the progress of `listen`. */
export interface ListenReport {
  /** Before the first event: the sequence after which it starts, and whether an earlier run ended there. */
  ready(consumer: { id: string; cursor: string; resumed: boolean }): void;
  attempted(attempt: Attempt): void;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;
/** Attempts with `once`, over about 15 seconds. */
const MAX_ATTEMPTS_ONCE = 6;
const PAGE_EVENTS = 100;
const NAME_CHARS = 24;

/** The receiver didn't take an event, and there is no further attempt. */
export class NotForwarded extends Error {
  override name = "NotForwarded";
}

/**
 * Forwards the account's events to a URL, in order, each until the receiver answers 2xx. A durable consumer records the
 * position, so that no event is lost if the receiver, the server or `listen` is killed; the last one may then come
 * again, with the same delivery id. Ends at the signal, or with `once`. Throws `NotForwarded`, and `LetterslotApiError`
 * for errors that no retry can fix, such as a revoked key.
 */
export async function listen(
  client: Client,
  options: ListenOptions,
  report: ListenReport,
  signal: AbortSignal,
): Promise<void> {
  const consumer = await openConsumer(client, options);
  const receiver = { url: options.url, keys: signingKeysOf(options.secret), consumer_id: consumer.id };
  report.ready(consumer);
  const commits = createCommits((cursor) => client.consumers.commit({ consumer_id: consumer.id, cursor }));
  const forward = async (event: LetterslotEvent) => {
    await forwardEvent(receiver, event, { once: options.once, report, signal });
    commits.add(String(event.sequence));
  };
  try {
    if (options.once) await forwardPages(client, consumer.id, forward, commits);
    else await forwardStream(client, consumer.cursor, options, { forward, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await commits.end();
  }
}

/** The consumer of this URL and these events, which an earlier run may have left. */
async function openConsumer(client: Client, { url, types, inboxId: inbox_id, replay }: ListenOptions) {
  const sorted = [...types].toSorted();
  const name = hash("sha256", JSON.stringify([url, sorted, inbox_id ?? null]), "hex").slice(0, NAME_CHARS);
  const input = {
    client_id: `letterslot-listen-${name}`,
    ...(sorted.length === 0 ? {} : { types: sorted }),
    ...(inbox_id === undefined ? {} : { inbox_id }),
  };
  const found = await client.consumers.create(input);
  if (replay === undefined) return { id: found.id, cursor: found.cursor, resumed: found.idempotent };
  // A cursor never moves back, so a replay needs a new consumer.
  await client.consumers.delete({ consumer_id: found.id });
  const after =
    replay === "oldest" ? await oldestCursor(client) : replay === "now" ? undefined : replay.after;
  const { id, cursor } = await client.consumers.create({
    ...input,
    ...(after === undefined ? {} : { after }),
  });
  return { id, cursor, resumed: false };
}

/** The cursor before the oldest event that is kept. */
async function oldestCursor(client: Client): Promise<string> {
  const { data, next_cursor } = await client.events.list({ limit: 1 });
  return data[0] === undefined ? next_cursor : String(data[0].sequence - 1);
}

/** Forwards one event until it is taken. Throws `NotForwarded` after the last attempt with `once`. */
async function forwardEvent(
  receiver: Receiver,
  event: LetterslotEvent,
  { once, report, signal }: { once: boolean; report: ListenReport; signal: AbortSignal },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const posted = await postEvent(receiver, event, signal);
    const taken = isTaken(posted);
    const last = taken || (once && attempt === MAX_ATTEMPTS_ONCE);
    const retry_in_ms = last ? null : Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), MAX_RETRY_MS);
    report.attempted({ ...posted, event, attempt, retry_in_ms });
    if (taken) return;
    if (retry_in_ms === null)
      throw new NotForwarded(
        `${receiver.url} did not take ${event.type} ${event.id} after ${attempt} attempts: ${posted.error ?? `status ${posted.status}`}.`,
      );
    await pause(retry_in_ms, undefined, { signal });
  }
}

/** Forwards the past events. */
async function forwardPages(
  client: Client,
  consumer_id: string,
  forward: (event: LetterslotEvent) => Promise<void>,
  commits: { add(cursor: string): void; end(): Promise<void> },
): Promise<void> {
  for (;;) {
    const page = await client.consumers.poll({ consumer_id, limit: PAGE_EVENTS });
    for (const event of page.data) await forward(event);
    commits.add(page.next_cursor);
    // A poll continues from the committed cursor.
    await commits.end();
    if (!page.has_more) return;
  }
}

/** Forwards past events and then new ones, until the signal aborts. */
async function forwardStream(
  client: Client,
  from: string,
  { types, inboxId: inbox_id }: ListenOptions,
  { forward, signal }: { forward(event: LetterslotEvent): Promise<void>; signal: AbortSignal },
): Promise<void> {
  let after = from;
  let failures = 0;
  for (;;) {
    const input = {
      after,
      ...(types.length === 0 ? {} : { types: [...types] }),
      ...(inbox_id === undefined ? {} : { inbox_id }),
    };
    try {
      for await (const event of client.events.stream(input, { signal })) {
        failures = 0;
        await forward(event);
        after = String(event.sequence);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!mayPass(error)) throw error;
      failures += 1;
    }
    await pause(Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS), undefined, { signal });
  }
}

/** Whether waiting may mend what went wrong. */
function mayPass(error: unknown): boolean {
  return (
    error instanceof LetterslotApiError &&
    (error.retryable || error.code === "connection_failed" || error.code === "timed_out")
  );
}
