import { decodeUuencoded } from "./uuencoded.ts";

const EQUALS = 0x3d;
const LF = 0x0a;
const CR = 0x0d;

/** The encodings of RFC 2045 plus uuencode, by the names that programs use. */
const ENCODINGS: readonly { name: RegExp; decode: (body: Uint8Array) => Uint8Array }[] = [
  { name: /^(?:x-)?base-?64$|^b64$/, decode: decodeBase64 },
  { name: /^(?:x-)?quoted[-_]?print\w*$|^quoted$|^qp$/, decode: decodeQuotedPrintable },
  { name: /^(?:x-)?uu(?:e|encode)$/, decode: decodeUuencoded },
];

/**
 * Decodes a body by its Content-Transfer-Encoding (RFC 2045 section 6). Unknown encodings are returned
 * unchanged.
 */
export function decodeTransfer(body: Uint8Array, encoding: string): Uint8Array {
  const token = /[\w-]+/.exec(encoding.toLowerCase())?.[0] ?? "";
  return ENCODINGS.find(({ name }) => name.test(token))?.decode(body) ?? body;
}

/**
 * Decodes Base64 as found in mail: foreign characters are skipped, and padding in the middle separates two
 * runs.
 */
export function decodeBase64(body: Uint8Array): Uint8Array {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
  const first = text.indexOf("=");
  if (first < 0 || !/[\w+/-]/.test(text.slice(first))) return Buffer.from(text, "base64");
  return decodeRuns(body);
}

/** The value of each byte in Base64, also of its variant for URLs; 64 for bytes that are not in it. */
const SEXTETS = new Uint8Array(256).fill(64);
for (const [value, letter] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries())
  SEXTETS[letter.charCodeAt(0)] = value;
SEXTETS["-".charCodeAt(0)] = 62;
SEXTETS["_".charCodeAt(0)] = 63;

/** Decodes runs that padding ends, byte by byte: a call for each of millions of short runs would take seconds. */
function decodeRuns(body: Uint8Array): Uint8Array {
  const out = Buffer.allocUnsafe(Math.ceil((body.length * 3) / 4) + 3);
  let length = 0;
  let bits = 0;
  let sextets = 0;
  // One more turn ends the last run.
  for (let at = 0; at <= body.length; at += 1) {
    const byte = at === body.length ? EQUALS : (body[at] as number);
    const value = SEXTETS[byte] as number;
    if (value < 64) {
      bits = (bits << 6) | value;
      sextets += 1;
    }
    if (sextets === 4 || byte === EQUALS) {
      // Six bits of one sextet are no byte; 12, 18 and 24 bits are one, two and three.
      for (let byte_bits = sextets * 6 - 8; byte_bits >= 0; byte_bits -= 8) out[length++] = bits >> byte_bits;
      bits = 0;
      sextets = 0;
    }
  }
  return out.subarray(0, length);
}

/**
 * Decodes quoted-printable: joins soft line breaks, drops blanks at line ends and keeps invalid escapes as
 * they are.
 */
export function decodeQuotedPrintable(body: Uint8Array): Uint8Array {
  const out = Buffer.allocUnsafe(body.length);
  let length = 0;
  for (let at = 0; at < body.length; at += 1) {
    if (body[at] !== EQUALS) {
      const next = body.indexOf(EQUALS, at);
      const run = body.subarray(at, next < 0 ? body.length : next);
      out.set(run, length);
      length += run.length;
      at += run.length - 1;
      continue;
    }
    const code = hexPair(body, at + 1);
    if (code >= 0) {
      out[length] = code;
      length += 1;
      at += 2;
      continue;
    }
    const soft = softBreakEnd(body, at + 1);
    if (soft >= 0) {
      at = soft - 1;
      continue;
    }
    out[length] = EQUALS;
    length += 1;
  }
  return out.subarray(0, length);
}

function hexPair(body: Uint8Array, at: number): number {
  const high = hexDigit(body[at]);
  const low = hexDigit(body[at + 1]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}

/**
 * The most blanks allowed between `=` and the line end. With more, the `=` is an ordinary character, so the
 * scan stays linear.
 */
const MAX_TRAILING_BLANKS = 80;

function softBreakEnd(body: Uint8Array, start: number): number {
  let at = start;
  while (at - start < MAX_TRAILING_BLANKS && (body[at] === 0x20 || body[at] === 0x09)) at += 1;
  if (at === body.length) return at;
  if (body[at] === LF) return at + 1;
  return body[at] === CR && body[at + 1] === LF ? at + 2 : -1;
}
