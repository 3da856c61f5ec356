/** An element of DER (X.690) with its length. */
const element = (tag: number, ...contents: Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x84, length >>> 24, length >>> 16, length >>> 8, length];
  return Buffer.concat([Buffer.from([tag, ...size.map((byte) => byte & 0xff)]), content]);
};

/** An element without a length, as writers that stream make it. */
const endless = (tag: number, ...contents: Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...contents, Buffer.alloc(2)]);

const [SIGNED_DATA, DATA] = [
  Buffer.from("2a864886f70d010702", "hex"),
  Buffer.from("2a864886f70d010701", "hex"),
];
const VERSION = element(0x02, Buffer.from([1]));
const NONE = element(0x31);

/** An S/MIME message that holds what it signs, as in RFC 8551, section 3.5.2, by nobody. */
export const signedMessage = (content: string): Buffer => {
  const data = element(0x30, element(0x06, DATA), element(0xa0, element(0x04, Buffer.from(content))));
  const signed = element(0x30, VERSION, NONE, data, NONE);
  return element(0x30, element(0x06, SIGNED_DATA), element(0xa0, signed));
};

/** The same from a writer that streams: no lengths, and the content in pieces of so many bytes. */
export const signedInPieces = (content: string, bytes: number): Buffer => {
  const whole = Buffer.from(content);
  const pieces: Buffer[] = [];
  for (let at = 0; at < whole.length; at += bytes) pieces.push(element(0x04, whole.subarray(at, at + bytes)));
  const data = endless(0x30, element(0x06, DATA), endless(0xa0, endless(0x24, ...pieces)));
  return endless(0x30, element(0x06, SIGNED_DATA), endless(0xa0, endless(0x30, VERSION, NONE, data, NONE)));
};
