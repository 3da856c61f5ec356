/** The maximum number of bytes read from a response body. */
export const MAX_BODY_BYTES = 8 * 1024;

/** The text of the first 8 KB of a body. */
export function excerptOf(chunks: readonly Uint8Array[]): string {
  if (chunks.length === 0) return "";
  return printable(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString("utf8"));
}

/** Removes control characters other than tabs and line breaks, so that the text can be stored and shown. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "");
}

/**
 * The wait in seconds that a Retry-After header asks for (RFC 9110, section 10.2.3); null if it is malformed.
 */
export function retryAfterSeconds(header: string | string[] | undefined, now: Date): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const time = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - now.getTime()) / 1000));
}

const FAILURE_TEXTS: Record<string, string> = {
  ADDRESS_REFUSED: "the host's address is not public",
  DEADLINE: "no response in time",
  TOO_LONG: "the document is too long",
  TIMEOUT: "no response in time",
  ENOTFOUND: "the host name has no address",
  ENODATA: "the host name has no address",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed",
  UND_ERR_SOCKET: "the connection was closed",
  UND_ERR_CONNECT_TIMEOUT: "could not connect in time",
  UND_ERR_HEADERS_OVERFLOW: "the response headers are too large",
};

/** Describes a failure to the webhook's owner, with its code if there is one. Never mentions an address. */
export function describeFailure(error: unknown): string {
  const code = failureCode(error);
  if (code === undefined) return "the request failed";
  return FAILURE_TEXTS[code] ?? `the request failed (${code})`;
}

/** Whether a request failed because its host's address may not be reached. */
export const isRefusedAddress = (error: unknown): boolean => failureCode(error) === "ADDRESS_REFUSED";

function failureCode(error: unknown): string | undefined {
  const { code, errors, name } = (error ?? {}) as { code?: unknown; errors?: unknown; name?: unknown };
  if (name === "TimeoutError") return "TIMEOUT";
  if (typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code)) return code;
  return Array.isArray(errors) ? failureCode(errors[0]) : undefined;
}
