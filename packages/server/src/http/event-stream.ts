import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { LIMITS, type StreamItem } from "@letterslot/core";
import { isEndOfAccess } from "@letterslot/core/internal";
import type { Clock } from "@letterslot/core/ports";
import type { ServerContext, ServerState } from "../request/context.ts";
import { isStandalone } from "../request/request-header.ts";
import { standardHeaders } from "./answer.ts";

const STREAM_HEADERS = { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" };

/** The destination of a stream. */
interface Sink {
  /** Resolves when there is room for more; rejects when the reader has disconnected. */
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

/** Starts to stream. The stream outlives this call, until `items` end or `disconnected` aborts. */
export function streamAnswer(
  c: ServerContext,
  { letterslot, log, waiting }: ServerState,
  items: AsyncIterable<StreamItem>,
  disconnected: AbortController,
): Response {
  const request_id = c.get("request_id");
  const onError = (error: unknown) => {
    if (!disconnected.signal.aborted) log.error({ error, request_id }, "stream failed");
  };
  const { sink, response } = openStream(c, disconnected);
  void writeEvents(letterslot.services.clock, items, sink, onError).then(() => waiting.delete(disconnected));
  return response;
}

/**
 * Opens an event stream: a standalone request's goes directly to Node's socket, since a web stream doubles
 * the cost of an idle connection.
 */
function openStream(c: ServerContext, disconnected: AbortController): { sink: Sink; response: Response } {
  // Hono answers HEAD with a response of its own, built from this one's headers.
  if (!isStandalone(c) || c.req.method === "HEAD") return webStream(c, disconnected);
  const { outgoing } = c.env as { outgoing: ServerResponse };
  return nodeStream(c, outgoing, disconnected.signal);
}

function nodeStream(
  c: ServerContext,
  outgoing: ServerResponse,
  signal: AbortSignal,
): { sink: Sink; response: Response } {
  outgoing.writeHead(200, { ...STREAM_HEADERS, ...standardHeaders(c.get("request_id")) });
  c.set("has_headers", true);
  const sink: Sink = {
    async write(text) {
      if (outgoing.destroyed) throw new Error("the reader has disconnected");
      if (!outgoing.write(text)) await once(outgoing, "drain", { signal });
    },
    async end() {
      outgoing.end();
    },
  };
  // Reading `body` turns @hono/node-server's lightweight response into a real one, which the adapter ignores.
  return { sink, response: RESPONSE_ALREADY_SENT.body === null ? RESPONSE_ALREADY_SENT : new Response() };
}

function webStream(c: ServerContext, disconnected: AbortController): { sink: Sink; response: Response } {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 1 });
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  writer.closed.catch(() => disconnected.abort());
  return {
    sink: { write: (text) => writer.write(encoder.encode(text)), end: () => writer.close() },
    response: c.body(readable, 200, STREAM_HEADERS),
  };
}

/**
 * Writes items as text/event-stream: a comment every 10 seconds as a keep-alive, and a final `event: end` with the
 * cursor to resume from and the reason, which is whether the caller's access has ended. Requests items only as fast as
 * the reader takes them. Never rejects: passes errors to `onError`.
 */
async function writeEvents(
  clock: Clock,
  items: AsyncIterable<StreamItem>,
  sink: Sink,
  onError: (error: unknown) => void,
): Promise<void> {
  let cancelComment = () => {};
  const comment = () => {
    sink.write(": still here\n\n").catch(() => {});
    cancelComment = clock.after(LIMITS.stream_comment_ms, comment);
  };
  cancelComment = clock.after(LIMITS.stream_comment_ms, comment);
  let cursor: string | null = null;
  let reason: "timeout" | "access_ended" = "timeout";
  try {
    for await (const item of items) {
      cursor = item.id;
      await sink.write(item.event === "open" ? openingFrame(cursor) : frame(item));
    }
  } catch (error) {
    if (isEndOfAccess(error)) reason = "access_ended";
    if (!isEndOfAccess(error)) onError(error);
  }
  cancelComment();
  await sink
    .write(frame({ id: cursor, event: "end", data: { cursor, reason } }))
    .then(() => sink.end())
    .catch(() => {});
}

/** An id without data sets a reader's Last-Event-ID and is not an event (HTML standard, section 9.2.6). */
const openingFrame = (cursor: string): string => `: open\nid: ${cursor}\n\n`;

/** One item on the wire. JSON contains no line break, so data cannot end the frame. */
function frame({ id, event, data }: { id: string | null; event: string; data: unknown }): string {
  return `${id === null ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
