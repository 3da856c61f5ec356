import { LetterslotApiError } from "./error.ts";
import { pause } from "./pause.ts";
import { type CallOptions, type ClientOptions, request } from "./request.ts";
import type { Route } from "./routes.ts";
import { parseServerSentEvents } from "./server-sent-events.ts";

/** The server sends a comment every 10 seconds, so a connection that is silent for this long is dead. */
const MAX_SILENCE_MS = 30_000;
/** The pause before reconnecting after a dropped connection; doubles on failure up to `MAX_BACKOFF_MS`. */
const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/**
 * Yields a stream's events endlessly. Each connection ends after 25 seconds; the next resumes after the last
 * event seen (Last-Event-ID), so no event is missed or repeated. While the server is down or busy it retries.
 * Throws if the first connection fails, and later on errors that waiting can't fix, such as a revoked key.
 */
export async function* openStream<T>(
  client: ClientOptions,
  route: Route,
  input: Record<string, unknown>,
  options: CallOptions,
): AsyncGenerator<T> {
  let last_event_id = input["last_event_id"];
  let opened = false;
  let backoff_ms = INITIAL_BACKOFF_MS;
  for (;;) {
    const connection = new AbortController();
    const signal =
      options.signal === undefined ? connection.signal : AbortSignal.any([options.signal, connection.signal]);
    let ended = false;
    let silenceTimer: ReturnType<typeof setTimeout> | undefined;
    let said_open = false;
    const noteActivity = () => {
      // The first that a stream says is where it begins.
      if (!said_open) options.onOpen?.();
      said_open = true;
      resetSilenceTimer();
    };
    const resetSilenceTimer = () => {
      clearTimeout(silenceTimer);
      silenceTimer = setTimeout(() => connection.abort(), MAX_SILENCE_MS);
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
      resetSilenceTimer();
      opened = true;
      backoff_ms = INITIAL_BACKOFF_MS;
      for await (const { id, event, data } of untilDisconnected(parseServerSentEvents(body, noteActivity))) {
        last_event_id = id ?? last_event_id;
        if (data === null) continue;
        ended = event === "end";
        if (!ended) yield JSON.parse(data) as T;
        if (ended) last_event_id = (JSON.parse(data) as { cursor?: string | null }).cursor ?? last_event_id;
      }
      if (!ended) {
        options.onLost?.();
        await pause(INITIAL_BACKOFF_MS, options.signal);
      }
      options.signal?.throwIfAborted();
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!opened || !isTransient(error)) throw error;
      options.onLost?.();
      await pause(backoff_ms, options.signal);
      backoff_ms = Math.min(backoff_ms * 2, MAX_BACKOFF_MS);
    } finally {
      clearTimeout(silenceTimer);
      connection.abort();
    }
  }
}

/** Whether a failure to connect may go away by itself. */
function isTransient(error: unknown): boolean {
  return (
    error instanceof LetterslotApiError &&
    (error.retryable || error.code === "connection_failed" || error.code === "timed_out")
  );
}

/** Treats a broken connection as ended: the next one resumes after the last event. */
async function* untilDisconnected<T>(events: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* events;
  } catch {
    // A lasting problem shows when the stream reconnects.
  }
}
