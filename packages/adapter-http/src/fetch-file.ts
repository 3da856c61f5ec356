import type { FileRequest, FileResponse } from "@letterslot/core/ports";
import { type Dispatcher, request as send } from "undici";

/** Codings that change nothing. */
const PLAIN = new Set(["", "identity"]);

/**
 * Fetches a file over connections that go only where files may come from. Follows no redirects: only a 200 with the bytes
 * as they are is a file. Throws when no answer comes within `timeout_ms`; its bytes throw when they take longer.
 */
export async function fetchFile(
  dispatcher: Dispatcher,
  { url, timeout_ms }: FileRequest,
): Promise<FileResponse> {
  const signal = AbortSignal.timeout(timeout_ms);
  const headers = { accept: "*/*", "accept-encoding": "identity", "user-agent": "Letterslot" };
  const { statusCode: status, headers: answered, body } = await send(url, { dispatcher, signal, headers });
  const coding = String(answered["content-encoding"] ?? "")
    .trim()
    .toLowerCase();
  if (status !== 200 || !PLAIN.has(coding)) {
    // What it says is nobody's business.
    body.on("error", () => undefined).destroy();
    const error = status === 200 ? "the file came compressed" : `the server answered ${status}`;
    return { error, refused: false };
  }
  const type = answered["content-type"];
  return { error: null, content_type: typeof type === "string" ? type : null, bytes: bytesOf(body) };
}

async function* bytesOf(body: Dispatcher.ResponseData["body"]): AsyncGenerator<Uint8Array> {
  try {
    yield* body as AsyncIterable<Uint8Array>;
  } finally {
    body.destroy();
  }
}
