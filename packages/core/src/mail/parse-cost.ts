/**
 * Mail longer than this is worth a worker's time: reading the worst of this size takes some 15 ms, handing it
 * over one.
 */
export const COSTLY_BYTES = 262_144;
/** A header block longer than this is no ordinary one. */
export const COSTLY_HEADER_BYTES = 16_384;
/** More lines that begin with two dashes than this: many parts, or pretending to. */
export const COSTLY_DELIMITERS = 200;
/**
 * Bodies longer than this are looked at off the event loop: finding what is new in the worst of this size
 * takes some 30 ms.
 */
export const LONG_BODY_CHARS = 65_536;

/**
 * Whether a raw mail should be read off the event loop: it is large, its header is, or it has many parts.
 * Takes microseconds.
 */
export function looksCostly(raw: Uint8Array): boolean {
  return raw.length > COSTLY_BYTES || hasCostlyHeader(raw) || hasManyDelimiters(raw);
}

/** Whether the bodies of a mail should be looked at off the event loop. */
export function looksLong({ text, html }: { text: string; html: string | null }): boolean {
  return text.length + (html?.length ?? 0) > LONG_BODY_CHARS;
}

/**
 * Whether the header block is longer than `COSTLY_HEADER_BYTES`: what signature checks have to canonicalise.
 */
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
