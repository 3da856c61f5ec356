import { connectionFailed, LetterslotApiError, timedOut } from "./error.ts";

/** A downloaded attachment or raw message. */
export interface Download {
  bytes: Uint8Array<ArrayBuffer>;
  content_type: string;
  /** The name in Content-Disposition, or null. A stranger may have chosen it: never use it as a path. */
  filename: string | null;
}

/** A download that may be larger than memory: its bytes as they come. */
export interface FileDownload extends Omit<Download, "bytes"> {
  /**
   * Read it to its end or cancel it: its connection is open until then. Fails with `LetterslotApiError` when the
   * connection breaks, and when nothing comes for the call's `timeout_ms`.
   */
  stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Its length; null if the server doesn't say. */
  size_bytes: number | null;
}

/** Reads a response body as a download. */
export async function readDownload(response: Response): Promise<Download> {
  return { bytes: new Uint8Array(await response.arrayBuffer()), ...factsOf(response) };
}

/** A response's body as a file that is read as it comes. */
export async function openFile(
  response: Response,
  timeout_ms: number,
  signal: AbortSignal | undefined,
): Promise<FileDownload> {
  // A response that was compressed in transit has another length there.
  const size = response.headers.has("content-encoding") ? null : response.headers.get("content-length");
  return {
    stream: watched(response.body ?? new ReadableStream(), timeout_ms, signal),
    size_bytes: size === null ? null : Number(size),
    ...factsOf(response),
  };
}

const factsOf = ({ headers }: Response): Omit<Download, "bytes"> => ({
  content_type: headers.get("content-type") ?? "application/octet-stream",
  filename: parseFilename(headers.get("content-disposition") ?? ""),
});

/** The same stream, which fails as calls fail. */
function watched(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  timeout_ms: number,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        let late: ReturnType<typeof setTimeout> | undefined;
        const silence = new Promise<never>((_, reject) => {
          late = setTimeout(() => reject(timedOut(timeout_ms)), timeout_ms);
        });
        try {
          const { done, value } = await Promise.race([reader.read(), silence]);
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          signal?.throwIfAborted();
          // Closes the connection if it is still open; the failure is reported all the same.
          reader.cancel().catch(() => undefined);
          throw error instanceof LetterslotApiError ? error : connectionFailed(error);
        } finally {
          clearTimeout(late);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** `filename*` in UTF-8 (RFC 5987) if present and decodable, else `filename`. */
function parseFilename(disposition: string): string | null {
  const extended = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Truncated in the middle of a character: fall back to the plain name.
    }
  }
  return /filename="([^"]*)"/i.exec(disposition)?.[1] ?? /filename=([^;\s]+)/i.exec(disposition)?.[1] ?? null;
}
