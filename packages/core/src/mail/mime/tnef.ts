import { sniff } from "./charset.ts";

/** The content of Outlook's files of the type application/ms-tnef ("winmail.dat"): MS-OXTNEF. */
export interface Tnef {
  /** The plain body; empty without one. */
  text: string;
  files: { filename: string; bytes: Uint8Array }[];
}

/** Files read of one package. */
const MAX_FILES = 100;
/** Properties read of one list. */
const MAX_PROPERTIES = 2_000;
const MAX_VALUES = 1_000;
const SIGNATURE = 0x22_3e_9f_78;
const BODY = 0x8_00c;
const NEW_FILE = 0x9_002;
const FILE_TITLE = 0x8_010;
const FILE_DATA = 0x8_00f;
const FILE_PROPERTIES = 0x9_005;
const MAIL_PROPERTIES = 0x9_003;
const [PR_BODY, PR_DATA, PR_NAME, PR_LONG_NAME] = [0x1000, 0x3701, 0x3704, 0x3707];

/**
 * Reads a package of Outlook's: its files with their names, and its plain body. Undefined if it is none; what is broken
 * or beyond a limit is left out. Linear, and without copying files.
 */
export function readTnef(bytes: Uint8Array): Tnef | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 6 || view.getUint32(0, true) !== SIGNATURE) return undefined;
  const read: Tnef = { text: "", files: [] };
  // An attribute: its level, id, type, length, data and checksum.
  for (let at = 6; at + 11 <= view.byteLength; ) {
    const id = view.getUint16(at + 1, true);
    const start = at + 9;
    const end = start + view.getUint32(at + 5, true);
    if (end > view.byteLength) break;
    takeAttribute(read, id, bytes.subarray(start, end));
    at = end + 2;
  }
  return { ...read, files: read.files.filter((file) => file.bytes.length > 0 || file.filename !== "") };
}

function takeAttribute(read: Tnef, id: number, data: Uint8Array): void {
  if (id === BODY) read.text = textOf(data);
  if (id === MAIL_PROPERTIES) read.text = propertiesIn(data).get(PR_BODY)?.text ?? read.text;
  if (id === NEW_FILE && read.files.length < MAX_FILES)
    read.files.push({ filename: "", bytes: new Uint8Array() });
  const file = read.files.at(-1);
  if (file === undefined) return;
  if (id === FILE_TITLE) file.filename ||= textOf(data);
  if (id === FILE_DATA) file.bytes = data;
  if (id !== FILE_PROPERTIES) return;
  const properties = propertiesIn(data);
  file.filename =
    properties.get(PR_LONG_NAME)?.text || file.filename || (properties.get(PR_NAME)?.text ?? "");
  if (file.bytes.length === 0) file.bytes = properties.get(PR_DATA)?.bytes ?? file.bytes;
}

interface Value {
  bytes: Uint8Array;
  text: string;
}

/** The properties whose text is used; decoding all of them would take long. */
const WORDED = new Set([PR_BODY, PR_NAME, PR_LONG_NAME]);
const [STRING, UNICODE, BINARY, OBJECT] = [0x1e, 0x1f, 0x102, 0x0d];
const SIZES: Readonly<Record<number, number>> = {
  ...{ 0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8 },
  ...{ 0x0a: 4, 0x0b: 4, 0x14: 8, 0x40: 8, 0x48: 16 },
};
const SEVERAL = 0x1000;
const NAMED_FROM = 0x8000;
/** The id of an object's interface, before its data. */
const INTERFACE_BYTES = 16;

/** Reads the values of a list of properties that have text or bytes, by id; stops at the first that is broken. */
function propertiesIn(bytes: Uint8Array): Map<number, Value> {
  const found = new Map<number, Value>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const has = (length: number): boolean => at + length <= view.byteLength;
  const number = (): number => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const skip = (length: number): boolean => {
    at += length + (-length & 3);
    return at <= view.byteLength;
  };
  const count = has(4) ? number() : 0;
  for (let index = 0; index < Math.min(count, MAX_PROPERTIES) && has(4); index += 1) {
    const type = view.getUint16(at, true);
    const id = view.getUint16(at + 2, true);
    at += 4;
    if (id >= NAMED_FROM) {
      if (!has(24)) break;
      at += 16;
      // Named by a number, or by a text of this length.
      if (number() === 0) at += 4;
      else if (!skip(number())) break;
    }
    const kind = type & ~SEVERAL;
    const size = SIZES[kind];
    if (size !== undefined) {
      if ((type & SEVERAL) !== 0 && !has(4)) break;
      if (!skip(size * ((type & SEVERAL) === 0 ? 1 : Math.min(number(), view.byteLength)))) break;
      continue;
    }
    if (![STRING, UNICODE, BINARY, OBJECT].includes(kind) || !has(4)) break;
    const values = number();
    for (let value = 0; value < Math.min(values, MAX_VALUES) && has(4); value += 1) {
      const length = number();
      if (!has(length)) return found;
      const data = bytes.subarray(
        at + (kind === OBJECT ? Math.min(INTERFACE_BYTES, length) : 0),
        at + length,
      );
      if (!found.has(id))
        found.set(id, {
          bytes: data,
          text: WORDED.has(id) ? (kind === UNICODE ? wideTextOf(data) : textOf(data)) : "",
        });
      if (!skip(length)) return found;
    }
    if (values > MAX_VALUES) break;
  }
  return found;
}

/** Characters of a text that are decoded. */
const MAX_TEXT_BYTES = 4_000_000;

const textOf = (bytes: Uint8Array): string => trimmed(sniff(bytes.subarray(0, MAX_TEXT_BYTES)));
const wideTextOf = (bytes: Uint8Array): string =>
  trimmed(new TextDecoder("utf-16le").decode(bytes.subarray(0, MAX_TEXT_BYTES)));
const trimmed = (text: string): string => text.replace(/\0[^]*$/, "").replace(/\r\n?/g, "\n");
