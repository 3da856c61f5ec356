/** Bytes that an operation answered: an attachment, or a raw message. */
export interface Download {
  bytes: Uint8Array<ArrayBuffer>;
  content_type: string;
  /** The name in Content-Disposition, or null. Text from a stranger: never use it as a path. */
  filename: string | null;
}

/** Reads a download. */
export async function downloadOf(response: Response): Promise<Download> {
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    content_type: response.headers.get("content-type") ?? "application/octet-stream",
    filename: filenameIn(response.headers.get("content-disposition") ?? ""),
  };
}

/** `filename*` in UTF-8 (RFC 5987) if it is there and whole, else `filename`. */
function filenameIn(disposition: string): string | null {
  const extended = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Cut in the middle of a character: the plain name is still good.
    }
  }
  return /filename="([^"]*)"/i.exec(disposition)?.[1] ?? /filename=([^;\s]+)/i.exec(disposition)?.[1] ?? null;
}
