import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync, type ZlibOptions } from "node:zlib";
import type { ArchiveFile } from "./archive.ts";

/** A finished file of a zip, as the directory at its end names it. */
export interface ZippedFile {
  name: string;
  crc: number;
  /** Bytes in the zip, and as they were. */
  packed: number;
  size: number;
  /** The offset of its header. */
  offset: number;
}

/** The options for resuming a zip whose writing was interrupted. */
export interface ZipOptions {
  /** The files already in the zip, in order: they are not written again. */
  written?: readonly ZippedFile[];
  /** Called after each further file is complete, with the size of the zip so far. */
  finished?(file: ZippedFile, bytes: number): void;
}

/** The maximum values of fields of four and of two bytes; larger values need the fields of ZIP64. */
const MAX_4 = 0xffffffff;
const MAX_2 = 0xffff;
/** The version of the format that a reader needs: with deflate, and with ZIP64. */
const DEFLATE_VERSION = 20;
const ZIP64_VERSION = 45;
/** The version above, made on Unix, so that the permissions below count. */
const MADE_BY = (3 << 8) | ZIP64_VERSION;
/** The sizes follow a file's content; names are in UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
/** A plain file that only its owner may read. */
const ATTRIBUTES = (0o100600 << 16) >>> 0;
/**
 * Mail takes half the time of level 4, and a tenth more space. Each piece ends at a byte, so that pieces are compressed
 * apart from each other and put one behind the other.
 */
const COMPRESSION = { level: 1, finishFlush: constants.Z_SYNC_FLUSH };
/** The end of deflated content: an empty final block (RFC 1951, 3.2.6). */
const END_OF_CONTENT = Buffer.from([0x03, 0x00]);
/** The size of a piece, which is checksummed in one turn of the event loop and compressed on another thread. */
const PIECE_BYTES = 256 * 1024;
/** The number of pieces compressed concurrently while the next one is being read. */
const PIECES_AT_ONCE = 3;
/** The size up to which a piece is compressed synchronously, since handing it to another thread would take longer. */
const SHORT_BYTES = 8 * 1024;

/** The buffer size for a compressed piece, so that the thread needn't allocate more. */
const PACKED_BYTES = 128 * 1024;

const compressInThread = promisify<Uint8Array, ZlibOptions, Uint8Array>(deflateRaw);

/**
 * Yields the bytes of a zip (PKWARE APPNOTE 6.3) of these files, one after the other, each as it is read. Supports
 * files and zips of any size, with ZIP64 where needed. Memory holds one piece of a file, and the names of all. With
 * `written`, yields the bytes that follow those files.
 */
export async function* zipOf(
  files: AsyncIterable<ArchiveFile>,
  modified: Date,
  { written = [], finished = () => {} }: ZipOptions = {},
): AsyncGenerator<Uint8Array> {
  const time = dosTime(modified);
  // Their entries are made at the end: a short Buffer keeps the 64 KB that it is a slice of.
  const zipped = [...written];
  const names = new Set(written.map(({ name }) => name));
  let offset = endOf(written.at(-1));
  for await (const { name, content } of files) {
    if (names.has(name)) continue;
    const entry: ZippedFile = { name, crc: 0, packed: 0, size: 0, offset };
    yield localHeader(entry, time);
    for await (const chunk of deflated(content, entry)) {
      entry.packed += chunk.length;
      yield chunk;
    }
    yield dataDescriptor(entry);
    offset = endOf(entry);
    zipped.push(entry);
    finished(entry, offset);
  }
  let bytes = 0;
  for (const file of zipped) {
    const entry = directoryEntry(file, time);
    bytes += entry.length;
    yield entry;
  }
  yield endOfDirectory(zipped.length, bytes, offset);
}

/** Content, deflated; its sum and size are noted in `entry`. */
async function* deflated(content: AsyncIterable<Uint8Array>, entry: ZippedFile): AsyncGenerator<Uint8Array> {
  const packing: Promise<Uint8Array>[] = [];
  for await (const piece of piecesOf(content)) {
    entry.crc = crc32(piece, entry.crc);
    entry.size += piece.length;
    const packed = compress(piece);
    // A failure is thrown where it is awaited, unless the content fails first.
    packed.catch(() => undefined);
    packing.push(packed);
    if (packing.length > PIECES_AT_ONCE) yield (await packing.shift()) as Uint8Array;
  }
  for (const packed of packing) yield await packed;
  yield END_OF_CONTENT;
}

const compress = async (piece: Uint8Array): Promise<Uint8Array> =>
  piece.length <= SHORT_BYTES
    ? deflateRawSync(piece, COMPRESSION)
    : compressInThread(piece, { ...COMPRESSION, chunkSize: PACKED_BYTES });

/** The same bytes in pieces of about `PIECE_BYTES`; only the last is shorter. */
async function* piecesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of content) {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const part = bytes.subarray(at, at + PIECE_BYTES);
      waiting.push(part);
      length += part.length;
      if (length < PIECE_BYTES) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(waiting);
}

const LOCAL_HEADER_BYTES = 30;

/** Returns the offset in the zip after a file; 0 without one. */
function endOf(file: ZippedFile | undefined): number {
  if (file === undefined) return 0;
  return file.offset + localHeader(file, 0).length + file.packed + dataDescriptor(file).length;
}

function localHeader({ name: text }: ZippedFile, time: number): Buffer {
  const name = Buffer.from(text);
  const header = Buffer.alloc(LOCAL_HEADER_BYTES);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(DEFLATE_VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATED, 8);
  header.writeUInt32LE(time, 10);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

/** Whether a finished file needs fields of eight bytes. */
const isLarge = ({ packed, size, offset }: ZippedFile): boolean => Math.max(packed, size, offset) >= MAX_4;

function dataDescriptor(entry: ZippedFile): Buffer {
  const large = isLarge(entry);
  const descriptor = Buffer.alloc(large ? 24 : 16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(entry.crc, 4);
  if (large) {
    descriptor.writeBigUInt64LE(BigInt(entry.packed), 8);
    descriptor.writeBigUInt64LE(BigInt(entry.size), 16);
  } else {
    descriptor.writeUInt32LE(entry.packed, 8);
    descriptor.writeUInt32LE(entry.size, 12);
  }
  return descriptor;
}

function directoryEntry(entry: ZippedFile, time: number): Buffer {
  const name = Buffer.from(entry.name);
  const large = isLarge(entry);
  const extra = large ? largeSizes(entry) : Buffer.alloc(0);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(MADE_BY, 4);
  header.writeUInt16LE(large ? ZIP64_VERSION : DEFLATE_VERSION, 6);
  header.writeUInt16LE(FLAGS, 8);
  header.writeUInt16LE(DEFLATED, 10);
  header.writeUInt32LE(time, 12);
  header.writeUInt32LE(entry.crc, 16);
  header.writeUInt32LE(large ? MAX_4 : entry.packed, 20);
  header.writeUInt32LE(large ? MAX_4 : entry.size, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(ATTRIBUTES, 38);
  header.writeUInt32LE(large ? MAX_4 : entry.offset, 42);
  return Buffer.concat([header, name, extra]);
}

/** The extra field of ZIP64, with what the fields of four bytes can't hold. */
function largeSizes({ size, packed, offset }: ZippedFile): Buffer {
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  extra.writeBigUInt64LE(BigInt(size), 4);
  extra.writeBigUInt64LE(BigInt(packed), 12);
  extra.writeBigUInt64LE(BigInt(offset), 20);
  return extra;
}

function endOfDirectory(files: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(files, MAX_2), 8);
  end.writeUInt16LE(Math.min(files, MAX_2), 10);
  end.writeUInt32LE(Math.min(bytes, MAX_4), 12);
  end.writeUInt32LE(Math.min(offset, MAX_4), 16);
  if (files < MAX_2 && bytes < MAX_4 && offset < MAX_4) return end;
  const large = Buffer.alloc(56);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(MADE_BY, 12);
  large.writeUInt16LE(ZIP64_VERSION, 14);
  large.writeBigUInt64LE(BigInt(files), 24);
  large.writeBigUInt64LE(BigInt(files), 32);
  large.writeBigUInt64LE(BigInt(bytes), 40);
  large.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([large, locator, end]);
}

/** A time in UTC as DOS wrote it: seconds in twos in the low half, the date since 1980 in the high half. */
function dosTime(time: Date): number {
  const seconds = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  const days = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  return ((days << 16) | seconds) >>> 0;
}
