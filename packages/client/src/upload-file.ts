import type { NewUpload } from "@letterslot/core";
import { connectionFailed, readError } from "./error.ts";
import type { CallOptions, ClientOptions } from "./request.ts";

/** A file to upload. */
export interface FileUpload {
  inbox_id: string;
  /** Its name in the mail. */
  filename: string;
  /** By default what the name says. */
  content_type?: string;
  /** Its bytes. A stream is sent as it comes; browsers that can't do that take a Blob. */
  data: Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Its size, if it is a stream and the size is known. */
  size_bytes?: number;
}

/** Options of an upload. */
export interface FileUploadOptions extends CallOptions {
  /** Called with the number of bytes that were handed over so far. */
  onProgress?: (sent_bytes: number) => void;
}

type Create = (
  input: Omit<FileUpload, "data">,
  options: CallOptions,
) => Promise<Pick<NewUpload, "id" | "put_url">>;

const PATH = "/api/v1/uploads";

/** Uploads a file, and returns it as an item of `attachments`. Fails with `LetterslotApiError`. */
export async function uploadFile(
  { baseUrl, fetch: send = fetch }: ClientOptions,
  create: Create,
  { data, ...file }: FileUpload,
  { onProgress, ...options }: FileUploadOptions = {},
): Promise<{ upload_id: string }> {
  const size = sizeOf(data) ?? file.size_bytes;
  const { id, put_url } = await create(
    { ...file, ...(size === undefined ? {} : { size_bytes: size }) },
    options,
  );
  // The server may name itself otherwise than it is reached from here.
  const url = baseUrl.replace(/\/+$/, "") + put_url.slice(put_url.indexOf(PATH));
  const body = onProgress === undefined && !isIterable(data) ? data : counted(data, onProgress);
  const init = { method: "PUT", body, duplex: "half", ...(options.signal && { signal: options.signal }) };
  const response = await send(url, init as RequestInit).catch((cause: unknown) => {
    options.signal?.throwIfAborted();
    throw connectionFailed(cause);
  });
  if (!response.ok) throw await readError(response);
  await response.body?.cancel();
  return { upload_id: id };
}

const sizeOf = (data: FileUpload["data"]): number | undefined =>
  data instanceof Blob ? data.size : data instanceof Uint8Array ? data.byteLength : undefined;

const isIterable = (data: FileUpload["data"]): data is AsyncIterable<Uint8Array> =>
  Symbol.asyncIterator in data && !(data instanceof ReadableStream);

/** The bytes as a stream that is read as they are sent, and says how many those were. */
function counted(data: FileUpload["data"], onProgress?: (sent_bytes: number) => void): ReadableStream {
  const pieces = piecesOf(data);
  let sent = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) return controller.close();
        controller.enqueue(value);
        sent += value.byteLength;
        onProgress?.(sent);
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}

async function* piecesOf(data: FileUpload["data"]): AsyncGenerator<Uint8Array> {
  if (isIterable(data)) return yield* data;
  if (data instanceof Uint8Array) return yield data;
  const reader = (data instanceof Blob ? data.stream() : data).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
