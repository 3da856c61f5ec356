/**
 * Larger mail is worth a worker thread: parsing the worst mail of this size takes about 15 ms, handing it
 * over about 1 ms.
 */
export const COSTLY_BYTES = 262_144;
/** A larger header block is unusual. */
export const COSTLY_HEADER_BYTES = 16_384;
/** More lines that start with two dashes mean many parts, real or fake. */
export const COSTLY_DELIMITERS = 200;
/**
 * Longer bodies are read off the event loop: extracting new text from the worst of this size takes about 30
 * ms.
 */
export const LONG_BODY_CHARS = 65_536;

/**
 * Whether to read a raw mail off the event loop: it or its header is large, or it has many parts. Takes
 * microseconds.
 */
export function looksCostly(raw: Uint8Array): boolean {
  return raw.length > COSTLY_BYTES || hasCostlyHeader(raw) || hasManyDelimiters(raw);
}

/** Whether to read a mail's bodies off the event loop. */
export function looksLong({ text, html }: { text: string; html: string | null }): boolean {
  return text.length + (html?.length ?? 0) > LONG_BODY_CHARS;
}

/** Whether the header block, which signature checks canonicalise, exceeds `COSTLY_HEADER_BYTES`. */
function hasCostlyHeader(raw: Uint8Array): boolean {
  const head = view(raw.subarray(0, COSTLY_HEADER_BYTES + 4));
  return raw.length > COSTLY_HEADER_BYTES && !head.includes("\r\n\r\n") && !head.includes("\n\n");
}

function hasManyDelimiters(raw: Uint8Array): boolean {
  const bytes = view(raw);
  let count = 0;
  for (let at = bytes.indexOf("\n--"); at >= 0; at = bytes.indexOf("\n--", at + 3)) {
    count += 1;
    if (count > COSTLY_DELIMITERS) return true;
  }
  return false;
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
