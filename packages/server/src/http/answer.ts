import type { Route } from "@letterslot/client/routes";
import type { Download, StreamItem } from "@letterslot/core";
import type { Edge, ServerContext } from "../request/context.ts";
import { openStream } from "./event-sink.ts";
import { writeEvents } from "./event-stream.ts";
import { jsonAnswer } from "./standard-headers.ts";

/** Writes a JSON record, or bytes, as the route has it. */
export function answerOf(c: ServerContext, route: Route, answer: unknown): Response {
  if (route.answers === "bytes") {
    const { bytes, headers } = answer as Download;
    return c.body(bytes as Uint8Array<ArrayBuffer>, 200, headers);
  }
  const replayed = (answer as { idempotent?: boolean }).idempotent === true;
  const headers = replayed && route.idempotent ? { "Idempotent-Replayed": "true" } : undefined;
  return jsonAnswer(
    c,
    answer as object,
    replayed ? 200 : isHeld(route, answer) ? 202 : (route.status ?? 200),
    headers,
  );
}

/**
 * Whether what was asked for waits for its time or for an owner: the answer, or the message in it, is a draft
 * or an approval.
 */
function isHeld(route: Route, answer: unknown): boolean {
  if (route.holds !== true) return false;
  const { object, message } = answer as { object?: string; message?: { object?: string } };
  return ["draft", "approval"].includes(object ?? message?.object ?? "");
}

/** Begins to stream; the stream goes on after the answer was returned, until it ends or `gone` aborts. */
export function streamAnswer(
  c: ServerContext,
  edge: Edge,
  items: AsyncIterable<StreamItem>,
  gone: AbortController,
): Response {
  const { letterslot, log, waiting } = edge;
  const request_id = c.get("request_id");
  const failed = (error: unknown) => log.error({ error, request_id }, "stream failed");
  const { sink, response } = openStream(c, gone);
  void writeEvents(letterslot.parts.clock, items, sink, { gone: gone.signal, failed }).then(() =>
    waiting.delete(gone),
  );
  return response;
}
