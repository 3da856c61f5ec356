/** Mail longer than this is worth a thread of its own: reading the worst of this size takes some hundred milliseconds. */
export const COSTLY_BYTES = 262_144;
/** A header block longer than this is no ordinary one. */
export const COSTLY_HEADER_BYTES = 16_384;
/** More lines that begin with two dashes than this: many parts, or pretending to. */
export const COSTLY_DELIMITERS = 200;
/** Mail longer than this isn't read on the event loop: the worst of this size takes some 30 ms. */
export const INLINE_BYTES = 65_536;

/**
 * How long reading a raw mail may take, at the worst: a `small` one milliseconds, a `long` one as many as it has kilobytes; a
 * `costly` one is past that, since it is large, its header block is, or it has many parts. Takes microseconds.
 */
export function costOf(raw: Uint8Array): "small" | "long" | "costly" {
  if (raw.length > COSTLY_BYTES || hasCostlyHeader(raw) || hasManyDelimiters(raw)) return "costly";
  return raw.length > INLINE_BYTES ? "long" : "small";
}

/** Whether the header block is longer than `COSTLY_HEADER_BYTES`: what signature checks have to canonicalise. */
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
