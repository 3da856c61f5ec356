import type { Route } from "@letterslot/client/routes";
import type { Download, StreamItem } from "@letterslot/core";
import type { Edge, ServerContext } from "./context.ts";
import { eventStream } from "./event-stream.ts";

/** Writes what an operation answered in the form that its route has. `hangUp` is called when a stream is over. */
export function answerOf(c: ServerContext, edge: Edge, route: Route, answer: unknown, hangUp: () => void): Response {
  if (route.answers === "bytes") return bytesAnswer(c, answer as Download);
  if (route.answers === "stream") return streamAnswer(c, edge, answer as AsyncIterable<StreamItem>, hangUp);
  const replayed = (answer as { idempotent?: boolean }).idempotent === true;
  if (replayed && route.idempotent) c.header("Idempotent-Replayed", "true");
  return c.json(answer as object, replayed ? 200 : (route.status ?? 200));
}

function bytesAnswer(c: ServerContext, { bytes, headers }: Download): Response {
  return c.body(bytes as Uint8Array<ArrayBuffer>, 200, headers);
}

function streamAnswer(c: ServerContext, { letterslot, log }: Edge, items: AsyncIterable<StreamItem>, over: () => void): Response {
  const request_id = c.get("request_id");
  const failed = (error: unknown): undefined => log.error({ error, request_id }, "stream failed") as undefined;
  const body = eventStream(letterslot.parts.clock, items[Symbol.asyncIterator](), { failed, over });
  return c.body(body, 200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
}
