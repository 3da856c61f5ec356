/** A downloaded attachment or raw message. */
export interface Download {
  bytes: Uint8Array<ArrayBuffer>;
  content_type: string;
  /** The name in Content-Disposition, or null. A stranger may have chosen it: never use it as a path. */
  filename: string | null;
}

/** Reads a response body as a download. */
export async function readDownload(response: Response): Promise<Download> {
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    content_type: response.headers.get("content-type") ?? "application/octet-stream",
    filename: parseFilename(response.headers.get("content-disposition") ?? ""),
  };
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
