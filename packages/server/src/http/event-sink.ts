import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ServerContext } from "../request/context.ts";
import { isUntouched } from "../request/request-header.ts";
import type { Sink } from "./event-stream.ts";
import { standardHeaders } from "./standard-headers.ts";

const streamHeaders = { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" };

/**
 * Opens an event stream: where to write it, and the answer to return. Where nobody is in between it is
 * written to Node's socket itself, since a web stream doubles what an idle connection costs.
 */
export function openStream(c: ServerContext, gone: AbortController): { sink: Sink; response: Response } {
  // To HEAD the framework answers with a response of its own, made of this one's headers.
  if (!isUntouched(c) || c.req.method === "HEAD") return webStream(c, gone);
  const { outgoing } = c.env as { outgoing: ServerResponse };
  return nodeStream(c, outgoing, gone.signal);
}

function nodeStream(
  c: ServerContext,
  outgoing: ServerResponse,
  gone: AbortSignal,
): { sink: Sink; response: Response } {
  outgoing.writeHead(200, { ...streamHeaders, ...standardHeaders(c.get("request_id")) });
  c.set("has_headers", true);
  const sink: Sink = {
    async write(text) {
      if (outgoing.destroyed) throw new Error("the reader is gone");
      if (!outgoing.write(text)) await once(outgoing, "drain", { signal: gone });
    },
    async end() {
      outgoing.end();
    },
  };
  // Its body is looked at so that it becomes a true Response, which the adapter passes over, where it had
  // been made a light one.
  return { sink, response: RESPONSE_ALREADY_SENT.body === null ? RESPONSE_ALREADY_SENT : new Response() };
}

function webStream(c: ServerContext, gone: AbortController): { sink: Sink; response: Response } {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 1 });
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  writer.closed.catch(() => gone.abort());
  return {
    sink: { write: (text) => writer.write(encoder.encode(text)), end: () => writer.close() },
    response: c.body(readable, 200, streamHeaders),
  };
}
