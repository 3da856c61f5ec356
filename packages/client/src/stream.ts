import { LetterslotApiError } from "./error.ts";
import { pause } from "./pause.ts";
import { type CallOptions, type ClientOptions, request } from "./request.ts";
import type { Route } from "./routes.ts";
import { eventsIn } from "./server-sent-events.ts";

/** The server sends a comment every 10 seconds; a connection that is silent for longer than this is dead. */
const longestSilenceMs = 30_000;
/** Before a connection is opened again that broke off without a word. */
const reopenPauseMs = 500;

/**
 * The events of a stream, for as long as they are asked for: a connection that ends, as each does after 25 seconds, is opened again
 * after the last event seen (Last-Event-ID), so none is missed and none comes twice. Throws what opening it again throws.
 */
export async function* streamOf<T>(
  client: ClientOptions,
  route: Route,
  input: Record<string, unknown>,
  options: CallOptions,
): AsyncGenerator<T> {
  let last_event_id = input["last_event_id"];
  for (;;) {
    const hangUp = new AbortController();
    const signal = options.signal === undefined ? hangUp.signal : AbortSignal.any([options.signal, hangUp.signal]);
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
        throw new LetterslotApiError({ code: "unexpected_answer", message: "The stream has no body.", status: null });
      heard();
      for await (const { id, event, data } of untilBroken(eventsIn(body, heard))) {
        last_event_id = id ?? last_event_id;
        if (data === null) continue;
        ended = event === "end";
        if (!ended) yield JSON.parse(data) as T;
        if (ended) last_event_id = (JSON.parse(data) as { cursor?: string | null }).cursor ?? last_event_id;
      }
      if (!ended) await pause(reopenPauseMs, options.signal);
      options.signal?.throwIfAborted();
    } finally {
      clearTimeout(silence);
      hangUp.abort();
    }
  }
}

/** A connection that breaks in the middle just ends: the next one goes on after its last event. */
async function* untilBroken<T>(events: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* events;
  } catch {
    // What broke shows when the stream is opened again.
  }
}
