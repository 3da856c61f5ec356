import { decodeUuencoded } from "./uuencoded.ts";

const EQUALS = 0x3d;
const LF = 0x0a;
const CR = 0x0d;

const BASE64 = /^(?:x-)?base-?64$|^b64$/;

/** The encodings of RFC 2045 plus uuencode, by the names that programs use. */
const ENCODINGS: readonly { name: RegExp; decode: (body: Uint8Array) => Uint8Array }[] = [
  { name: BASE64, decode: decodeBase64 },
  { name: /^(?:x-)?quoted[-_]?print\w*$|^quoted$|^qp$/, decode: decodeQuotedPrintable },
  { name: /^(?:x-)?uu(?:e|encode)$/, decode: decodeUuencoded },
];

/**
 * Decodes a body by its Content-Transfer-Encoding (RFC 2045 section 6). Unknown encodings are returned
 * unchanged.
 */
export function decodeTransfer(body: Uint8Array, encoding: string): Uint8Array {
  return ENCODINGS.find(({ name }) => name.test(tokenOf(encoding)))?.decode(body) ?? body;
}

const tokenOf = (encoding: string): string =>
  /[\w-]+/.exec(encoding.toLowerCase().replace(/\([^()]*\)/g, " "))?.[0] ?? "";

/** Lines of one run of Base64; a shorter one may be a word. */
const MIN_BASE64_LINE = 60;
/** The bytes at the end in which text after Base64 is searched for: a footer, not another part. */
const MAX_FOOTER_BYTES = 4_096;

/**
 * Returns the length of a body's Base64: lists and gateways append lines of plain text, which would decode to bytes
 * that belong to no charset. For other encodings, and where nothing follows, it is the length of the body.
 */
export function encodedLength(body: Uint8Array, encoding: string): number {
  if (!BASE64.test(tokenOf(encoding))) return body.length;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (endsInBase64(bytes)) return body.length;
  const from = Math.max(0, body.length - MAX_FOOTER_BYTES);
  const text = bytes.toString("latin1", from);
  let footer = text.length;
  let is_text = false;
  let end = text.length;
  do {
    const start = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
    const content = text.slice(start, end).trim();
    if (isBase64Line(content)) break;
    if (content !== "" && !BASE64_SIGNS.test(content)) {
      is_text ||= /[^A-Za-z0-9+/=\s]/.test(content);
      footer = start;
    }
    end = start - 1;
  } while (end >= 0);
  if (!is_text) return body.length;
  const before = text.slice(0, footer).replace(/\s/g, "");
  const whole = from > 0 || (before !== "" && (before.endsWith("=") || before.length % 4 === 0));
  return whole ? from + footer : body.length;
}

const BASE64_SIGNS = /^[A-Za-z0-9+/]*={0,2}$/;
const isBase64Line = (content: string): boolean =>
  BASE64_SIGNS.test(content) && (content.length >= MIN_BASE64_LINE || content.endsWith("="));

/** The bytes at the end that contain the last line of nearly every Base64 body. */
const LAST_LINE_BYTES = 200;

/** Whether the last non-blank line is certainly Base64, so that nothing follows it. */
function endsInBase64(bytes: Buffer): boolean {
  const end = bytes.toString("latin1", Math.max(0, bytes.length - LAST_LINE_BYTES)).trimEnd();
  const start = end.lastIndexOf("\n") + 1;
  return start > 0 && isBase64Line(end.slice(start).trim());
}

/**
 * Decodes Base64 as found in mail: foreign characters are skipped, and padding in the middle separates two
 * runs.
 */
export function decodeBase64(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (body.length > SLICE_BYTES)
    return hasSeveralRunsOfBytes(bytes) ? decodeRuns(body) : decodeInSlices(bytes);
  const text = bytes.toString("latin1");
  return hasSeveralRuns(text) ? decodeRuns(body) : Buffer.from(text, "base64");
}

/** Longer bodies are decoded in slices: as text, a large attachment would be in memory once more. */
const SLICE_BYTES = 65_536;
const NO_SIGNS = /[^A-Za-z0-9+/_-]+/g;

/** Decodes one run, whose last group may be short. */
function decodeInSlices(bytes: Buffer): Uint8Array {
  const out = Buffer.allocUnsafeSlow(Math.ceil((bytes.length * 3) / 4));
  let length = 0;
  let rest = "";
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    const signs = rest + bytes.toString("latin1", at, at + SLICE_BYTES).replace(NO_SIGNS, "");
    const whole = signs.length - (signs.length % 4);
    length += out.write(signs.slice(0, whole), length, "base64");
    rest = signs.slice(whole);
  }
  length += out.write(rest, length, "base64");
  return out.subarray(0, length);
}

/** Decodes Base64 whose bytes are the characters of `text`. */
export function decodeBase64Text(text: string): Uint8Array {
  return hasSeveralRuns(text) ? decodeRuns(Buffer.from(text, "latin1")) : Buffer.from(text, "base64");
}

/** Whether anything follows the first padding. */
function hasSeveralRuns(text: string): boolean {
  const first = text.indexOf("=");
  return first >= 0 && /[\w+/-]/.test(text.slice(first));
}

function hasSeveralRunsOfBytes(bytes: Buffer): boolean {
  const first = bytes.indexOf(EQUALS);
  return first >= 0 && bytes.subarray(first).some((byte) => (SEXTETS[byte] as number) < 64);
}

/** The value of each byte in Base64 and in its URL-safe variant; 64 for bytes that are in neither. */
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
  // One extra iteration ends the last run.
  for (let at = 0; at <= body.length; at += 1) {
    const byte = at === body.length ? EQUALS : (body[at] as number);
    const value = SEXTETS[byte] as number;
    if (value < 64) {
      bits = (bits << 6) | value;
      sextets += 1;
    }
    if (sextets === 4 || byte === EQUALS) {
      // The six bits of a lone sextet are no byte; 12, 18 and 24 bits are one, two and three.
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
