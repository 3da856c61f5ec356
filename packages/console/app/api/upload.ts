import { clientBy } from "./caller.ts";

/**
 * Uploads a file to an inbox, and answers the id by which a message has it. Throws what the service says, and whatever ends
 * the `signal`.
 */
export async function uploadFile(
  inbox_id: string,
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (sent_bytes: number) => void },
): Promise<string> {
  const client = clientBy((url, init) =>
    init.method === "PUT" ? put(url, file, { signal, onProgress }) : fetch(url, init),
  );
  const content_type = file.type === "" ? {} : { content_type: file.type };
  const named = { inbox_id, filename: file.name, data: file, ...content_type };
  return (await client.uploads.file(named, { signal })).upload_id;
}

/** Sends a file as `fetch` does, which doesn't tell how far it is. */
const put = (
  url: string,
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (sent_bytes: number) => void },
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    request.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
    request.addEventListener("load", () => {
      const { status, responseText } = request;
      resolve(new Response(responseText, { status, headers: { "content-type": "application/json" } }));
    });
    request.addEventListener("error", () => reject(new TypeError("the connection broke")));
    request.addEventListener("abort", () => reject(signal.reason as Error));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
