import type { DocumentRequest, DocumentResponse } from "@letterslot/core/ports";
import { type Dispatcher, request as send } from "undici";

const MIME = "application/json";

/**
 * Fetches a document over connections that go only where webhooks may. Follows no redirects. Throws when it is
 * longer than `max_bytes` or takes longer than `timeout_ms`.
 */
export async function fetchDocument(
  dispatcher: Dispatcher,
  { url, max_bytes, timeout_ms }: DocumentRequest,
): Promise<DocumentResponse> {
  const signal = AbortSignal.timeout(timeout_ms);
  const headers = { accept: MIME, "user-agent": "Letterslot" };
  const { statusCode, headers: answered, body } = await send(url, { dispatcher, signal, headers });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > max_bytes) {
      body.destroy();
      throw Object.assign(new Error("the document is too long"), { code: "TOO_LONG" });
    }
    chunks.push(chunk);
  }
  const cache_control = answered["cache-control"];
  return {
    status: statusCode,
    error: null,
    body: Buffer.concat(chunks),
    cache_control: typeof cache_control === "string" ? cache_control : null,
  };
}
