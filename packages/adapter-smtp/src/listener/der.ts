/** The distinguished encoding rules of ASN.1 (X.690), as far as a certificate needs them. */

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bit_string: 0x03,
  octet_string: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utc_time: 0x17,
  generalized_time: 0x18,
  sequence: 0x30,
  set: 0x31,
};
/** Context-specific tags begin here; constructed ones hold other values. */
const CONTEXT = { primitive: 0x80, constructed: 0xa0 };

/** Times from this year on have four digits of the year (RFC 5280, section 4.1.2.5). */
const FIRST_GENERALIZED_YEAR = 2050;

/** A list of values, each encoded. */
export const sequence = (...values: Buffer[]): Buffer => encode(TAG.sequence, ...values);

/** A set of one value, encoded; several would have to be sorted. */
export const set = (value: Buffer): Buffer => encode(TAG.set, value);

/** A value with a context-specific tag, such as `[3]`: around an encoded value, or in place of its own tag. */
export const tagged = (number: number, value: Buffer, form: keyof typeof CONTEXT = "constructed"): Buffer =>
  encode(CONTEXT[form] + number, value);

/** A truth value. */
export const bool = (value: boolean): Buffer => encode(TAG.boolean, Buffer.of(value ? 0xff : 0));

/** A positive integer from its bytes, the highest first. */
export function unsigned(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.of(0) : bytes.subarray(first);
  // A first bit of 1 would make it negative.
  return encode(TAG.integer, ...((digits[0] ?? 0) < 0x80 ? [] : [Buffer.of(0)]), digits);
}

/** Bits, of which the last `unused` don't count. */
export const bitString = (bytes: Buffer, unused = 0): Buffer =>
  encode(TAG.bit_string, Buffer.of(unused), bytes);

/** Bytes, often an encoded value. */
export const octetString = (bytes: Buffer): Buffer => encode(TAG.octet_string, bytes);

/** A text. */
export const utf8 = (text: string): Buffer => encode(TAG.utf8, Buffer.from(text, "utf8"));

/** An object identifier from its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split(".").map(Number);
  return encode(TAG.oid, Buffer.from([first * 40 + second, ...others].flatMap(base128)));
}

/** A time in seconds, in the form that its year demands (RFC 5280, section 4.1.2.5). */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/\.\d+Z$|[-:T]/g, "")}Z`;
  const generalized = date.getUTCFullYear() >= FIRST_GENERALIZED_YEAR;
  return generalized
    ? encode(TAG.generalized_time, Buffer.from(digits))
    : encode(TAG.utc_time, Buffer.from(digits.slice(2)));
}

function encode(tag: number, ...content: Buffer[]): Buffer {
  const value = Buffer.concat(content);
  return Buffer.concat([Buffer.of(tag), lengthOf(value.length), value]);
}

/** Lengths from 128 on are preceded by the number of their bytes. */
function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes = length < 0x100 ? Buffer.of(length) : Buffer.of(length >> 8, length & 0xff);
  return Buffer.concat([Buffer.of(0x80 + bytes.length), bytes]);
}

/** Seven bits to a byte, the highest first; all but the last have their first bit set. */
function base128(number: number): number[] {
  const groups = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) groups.unshift(0x80 | (rest & 0x7f));
  return groups;
}
