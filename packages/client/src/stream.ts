import { LetterslotApiError } from "./error.ts";
import { pause } from "./pause.ts";
import { type CallOptions, type ClientOptions, request } from "./request.ts";
import type { Route } from "./routes.ts";
import { eventsIn } from "./server-sent-events.ts";

/** The server sends a comment every 10 seconds; a connection that is silent for longer than this is dead. */
const longestSilenceMs = 30_000;
/**
 * Before a connection is opened again that broke off without a word; doubled while it can't be opened, up to
 * the longest.
 */
const reopenPauseMs = 500;
const longestReopenPauseMs = 30_000;

/**
 * The events of a stream, for as long as they are asked for: a connection that ends, as each does after 25
 * seconds, is opened again after the last event seen (Last-Event-ID), so none is missed and none comes twice.
 * A server that is away, restarting or busy is waited for; what the first opening fails with is thrown, and
 * later what waiting won't cure, such as a revoked key.
 */
export async function* streamOf<T>(
  client: ClientOptions,
  route: Route,
  input: Record<string, unknown>,
  options: CallOptions,
): AsyncGenerator<T> {
  let last_event_id = input["last_event_id"];
  let opened = false;
  let reopen_ms = reopenPauseMs;
  for (;;) {
    const hangUp = new AbortController();
    const signal =
      options.signal === undefined ? hangUp.signal : AbortSignal.any([options.signal, hangUp.signal]);
    let ended = false;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => hangUp.abort(), longestSilenceMs);
    };
    try {
      const body = await request(
        client,
        route,
        { ...input, last_event_id },
        { ...options, signal },
        async (response) => response.body,
      );
      if (body === null)
        throw new LetterslotApiError({
          code: "unexpected_answer",
          message: "The stream has no body.",
          status: null,
        });
      heard();
      opened = true;
      reopen_ms = reopenPauseMs;
      for await (const { id, event, data } of untilBroken(eventsIn(body, heard))) {
        last_event_id = id ?? last_event_id;
        if (data === null) continue;
        ended = event === "end";
        if (!ended) yield JSON.parse(data) as T;
        if (ended) last_event_id = (JSON.parse(data) as { cursor?: string | null }).cursor ?? last_event_id;
      }
      if (!ended) await pause(reopenPauseMs, options.signal);
      options.signal?.throwIfAborted();
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!opened || !mayPass(error)) throw error;
      await pause(reopen_ms, options.signal);
      reopen_ms = Math.min(reopen_ms * 2, longestReopenPauseMs);
    } finally {
      clearTimeout(silence);
      hangUp.abort();
    }
  }
}

/** Whether what a connection could not be opened for passes by itself. */
function mayPass(error: unknown): boolean {
  return (
    error instanceof LetterslotApiError &&
    (error.retryable || error.code === "connection_failed" || error.code === "timed_out")
  );
}

/** A connection that breaks in the middle just ends: the next one goes on after its last event. */
async function* untilBroken<T>(events: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* events;
  } catch {
    // What broke shows when the stream is opened again.
  }
}
