import type { Route } from "@letterslot/client/routes";
import type { Download, StreamedDownload } from "@letterslot/core";
import type { Operation } from "@letterslot/core/internal";
import type { ServerContext } from "../request/context.ts";
import { jsonLines, wantsLines } from "../request/send-json.ts";
import { isLong, jsonStream } from "./json-stream.ts";
import { listJson } from "./list-json.ts";

/** The headers of every response. */
export const standardHeaders = (request_id: string): Record<string, string> => ({
  "x-request-id": request_id,
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
});

/** Adds the standard headers that a response does not have yet. */
export function completeHeaders(c: ServerContext): void {
  if (c.get("has_headers") === true) return;
  const { headers } = c.res;
  for (const [name, value] of Object.entries(standardHeaders(c.get("request_id"))))
    if (!headers.has(name)) headers.set(name, value);
}

/** Responds with an operation's result: JSON or bytes, as its route says. */
export function answerOf(c: ServerContext, route: Route, operation: Operation, answer: unknown): Response {
  if (operation.answers === "bytes" || operation.answers === "file")
    return fileAnswer(c, answer as Download | StreamedDownload);
  const replayed = (answer as { idempotent?: boolean }).idempotent === true;
  const tried = (answer as { object?: string }).object === "send_check";
  const status = replayed || tried ? 200 : isHeld(operation, answer) ? 202 : (route.status ?? 200);
  return jsonAnswer(
    c,
    answer as object,
    status,
    replayed && operation.idempotent ? { "Idempotent-Replayed": "true" } : {},
  );
}

/** Responds with a file: what is read as it is sent, or bytes that are there. */
export function fileAnswer(c: ServerContext, { headers, ...file }: Download | StreamedDownload): Response {
  const body = "stream" in file ? readAsSent(file.stream) : (file.bytes as Uint8Array<ArrayBuffer>);
  return c.body(body, 200, headers);
}

/** A stream that reads its source only on demand, and ends it when the stream is cancelled. */
const readAsSent = (stream: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await stream.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await stream.return(undefined)),
    },
    { highWaterMark: 0 },
  );

/**
 * Whether the request now waits for its time or for an owner: the answer is, or contains, a draft or
 * approval.
 */
function isHeld({ holds }: Operation, answer: unknown): boolean {
  if (holds !== true) return false;
  const { object, message } = answer as { object?: string; message?: { object?: string } };
  return ["draft", "approval"].includes(object ?? message?.object ?? "");
}

/**
 * Passes all headers to the constructor as one plain object: each later `set` would cost as much as all of
 * them.
 */
function jsonAnswer(c: ServerContext, body: object, status: number, more: Record<string, string>): Response {
  c.set("has_headers", true);
  const headers = { "Content-Type": "application/json", ...standardHeaders(c.get("request_id")), ...more };
  return new Response(encoded(c, body), { status, headers });
}

function encoded(
  c: ServerContext,
  body: object,
): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (isLong(body)) return jsonStream(body);
  if (wantsLines(c)) return jsonLines(body);
  return isList(body) ? listJson(body) : JSON.stringify(body);
}

const isList = (body: object): body is { data: unknown[] } => "data" in body && Array.isArray(body.data);
