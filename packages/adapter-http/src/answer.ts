/** How much of an answer's body is read. */
export const answerBytes = 8 * 1024;

/** The text of the first 8 KB of a body. */
export function excerptOf(chunks: readonly Uint8Array[]): string {
  if (chunks.length === 0) return "";
  return printable(Buffer.concat(chunks).subarray(0, answerBytes).toString("utf8"));
}

/** Text that can be stored and shown: without control characters other than tabs and line ends. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "");
}

/**
 * Seconds in a Retry-After header (RFC 9110, section 10.2.3): a number of seconds, or a date. Null for
 * anything else.
 */
export function retryAfterSeconds(header: string | string[] | undefined, now: Date): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const time = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - now.getTime()) / 1000));
}

const sentences: Record<string, string> = {
  ADDRESS_REFUSED: "the host's address is not a public one",
  DEADLINE: "no answer came in time",
  ENOTFOUND: "the host's name has no address",
  ENODATA: "the host's name has no address",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection broke off",
  UND_ERR_SOCKET: "the connection broke off",
  UND_ERR_CONNECT_TIMEOUT: "no connection came about in time",
  UND_ERR_HEADERS_OVERFLOW: "the answer's headers are too large",
};

/**
 * What went wrong, for the webhook's owner: a sentence, and the code of the failure where there is one. Never
 * an address.
 */
export function describeFailure(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) return "the request failed";
  return sentences[code] ?? `the request failed (${code})`;
}

function codeOf(error: unknown): string | undefined {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: unknown };
  if (typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code)) return code;
  return Array.isArray(errors) ? codeOf(errors[0]) : undefined;
}
