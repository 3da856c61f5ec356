import type { ZoneRecord } from "@letterslot/core/ports";
import { type Answer, type DecodedPacket, decode } from "dns-packet";
import { stringsOf } from "../text-values.ts";

/** Numbers of types and classes (IANA, "Domain Name System Parameters"). */
export const TYPES = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  TSIG: 250,
  ANY: 255,
  CAA: 257,
} as const;
export type TypeName = keyof typeof TYPES;

export const CLASSES = { IN: 1, NONE: 254, ANY: 255 } as const;

export const RCODES = {
  NOERROR: 0,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
} as const;

const OPCODE_UPDATE = 5;
const HEADER_BYTES = 12;

/** A record of a message that we send. */
export interface WireRecord {
  name: string;
  type: number;
  class: number;
  ttl: number;
  data: Buffer;
}

/** A name as labels (RFC 1035, section 3.1), not compressed, in lower case as digests want it. */
export function wireName(name: string): Buffer {
  const labels = name
    .toLowerCase()
    .split(".")
    .filter((label) => label !== "");
  const parts = labels.flatMap((label) => [Buffer.from([Buffer.byteLength(label)]), Buffer.from(label)]);
  return Buffer.concat([...parts, Buffer.from([0])]);
}

/** Numbers of 16 bits each. */
export function uint16s(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 2);
  for (const [index, number] of numbers.entries()) bytes.writeUInt16BE(number, index * 2);
  return bytes;
}

/** A record as it is sent. */
export function wireRecord({ name, type, class: of_class, ttl, data }: WireRecord): Buffer {
  const numbers = Buffer.alloc(10);
  numbers.writeUInt16BE(type, 0);
  numbers.writeUInt16BE(of_class, 2);
  numbers.writeUInt32BE(ttl, 4);
  numbers.writeUInt16BE(data.length, 8);
  return Buffer.concat([wireName(name), numbers, data]);
}

/** The data of a TXT, MX or CNAME record. */
export function dataOf({ type, value, priority }: ZoneRecord): Buffer {
  if (type === "TXT") return txtData(stringsOf(value));
  return type === "MX" ? Buffer.concat([uint16s(priority ?? 0), wireName(value)]) : wireName(value);
}

/** The data of a TXT record with these strings. */
export const txtData = (strings: readonly Uint8Array[]): Buffer =>
  Buffer.concat(strings.flatMap((string) => [Buffer.from([string.length]), string]));

/** A question to a server that has the zone itself. */
export const queryMessage = (id: number, name: string, type: TypeName): Buffer =>
  Buffer.concat([uint16s(id, 0, 1, 0, 0, 0), wireName(name), uint16s(TYPES[type], CLASSES.IN)]);

/** An update of a zone (RFC 2136, section 2): all of `updates`, if all of `prerequisites` hold. */
export const updateMessage = (
  id: number,
  zone: string,
  prerequisites: readonly WireRecord[],
  updates: readonly WireRecord[],
): Buffer =>
  Buffer.concat([
    uint16s(id, OPCODE_UPDATE << 11, 1, prerequisites.length, updates.length, 0),
    ...[wireName(zone), uint16s(TYPES.SOA, CLASSES.IN)],
    ...[...prerequisites, ...updates].map(wireRecord),
  ]);

/** A message with one more record in its last section, which has the signature. */
export function withAdditional(message: Buffer, record: Buffer): Buffer {
  const longer = Buffer.concat([message, record]);
  longer.writeUInt16BE(message.readUInt16BE(10) + 1, 10);
  return longer;
}

/** The answer to a message, read by a library that checks its bounds. */
export interface Reply {
  bytes: Buffer;
  rcode: number;
  authoritative: boolean;
  answers: readonly Answer[];
  /** The signature, if it is there: it is the last record. */
  tsig: { name: string; data: Buffer; start: number } | undefined;
}

/** Reads an answer. Throws if it isn't one, or not to this message. */
export function readReply(bytes: Buffer, id: number): Reply {
  const packet: DecodedPacket = decode(bytes);
  if (packet.id !== id || !packet.flag_qr) throw new Error("the answer is to another message");
  const last = packet.additionals?.at(-1);
  return {
    bytes,
    rcode: bytes.readUInt16BE(2) & 0x0f,
    authoritative: packet.flag_aa,
    answers: packet.answers ?? [],
    tsig:
      last?.type === "TSIG"
        ? { name: last.name.toLowerCase(), data: last.data, start: startOfLastRecord(bytes) }
        : undefined,
  };
}

/** Returns the offset of the last record of a message that was parsed without an error. */
function startOfLastRecord(bytes: Buffer): number {
  const [questions = 0, ...records] = [4, 6, 8, 10].map((offset) => bytes.readUInt16BE(offset));
  let offset = HEADER_BYTES;
  for (let question = 0; question < questions; question++) offset = afterName(bytes, offset) + 4;
  let start = offset;
  const count = records.reduce((sum, each) => sum + each, 0);
  for (let record = 0; record < count; record++) {
    start = offset;
    const fixed = afterName(bytes, offset);
    offset = fixed + 10 + bytes.readUInt16BE(fixed + 8);
  }
  return start;
}

function afterName(bytes: Buffer, start: number): number {
  let offset = start;
  for (;;) {
    const length = bytes.readUInt8(offset);
    if (length >= 0xc0) return offset + 2;
    offset += length + 1;
    if (length === 0) return offset;
  }
}
