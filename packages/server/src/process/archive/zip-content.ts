import type { FileHandle } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createInflateRaw, inflateRawSync } from "node:zlib";
import type { Entry } from "yauzl";

/** A file of a zip: the offset of its bytes, and its entry in the directory. */
type ZippedContent = Pick<Entry, "compressionMethod" | "compressedSize" | "uncompressedSize"> & {
  start: number;
};

const STORED = 0;
/** Packed bytes that are read at once. */
const PACKED_BYTES = 128 * 1024;
/** Inflated bytes that are handed on at once: with Node's 16 KB the handing on takes longer than the inflating. */
const PIECE_BYTES = 256 * 1024;
/** A file up to this size is inflated at once, which takes less than a stream. */
const SHORT_BYTES = 64 * 1024;

/**
 * The bytes of a file in a zip, in pieces of at most `PIECE_BYTES`. Throws when they are damaged, or not exactly as
 * many as the directory says: at the first one too many.
 */
export async function* readContent(zip: FileHandle, content: ZippedContent): AsyncGenerator<Uint8Array> {
  let left = content.uncompressedSize;
  for await (const piece of inflatedOf(zip, content)) {
    left -= piece.length;
    if (left < 0) throw new Error("a file is longer than its directory says");
    yield piece;
  }
  if (left > 0) throw new Error("a file is shorter than its directory says");
}

function inflatedOf(zip: FileHandle, content: ZippedContent): AsyncIterable<Uint8Array> {
  const packed = packedOf(zip, content);
  if (content.compressionMethod === STORED) return packed;
  if (Math.max(content.compressedSize, content.uncompressedSize) <= SHORT_BYTES)
    return inflateShort(packed, content.uncompressedSize);
  // An error of either is thrown where the last is read.
  return pipeline(
    Readable.from(packed, { objectMode: false }),
    createInflateRaw({ chunkSize: PIECE_BYTES }),
    () => undefined,
  );
}

async function* inflateShort(packed: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of packed) pieces.push(piece);
  yield inflateRawSync(Buffer.concat(pieces), { maxOutputLength: Math.max(1, size) });
}

async function* packedOf(
  zip: FileHandle,
  { start, compressedSize }: ZippedContent,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < compressedSize; ) {
    const length = Math.min(PACKED_BYTES, compressedSize - at);
    const { bytesRead, buffer } = await zip.read(Buffer.allocUnsafe(length), 0, length, start + at);
    if (bytesRead === 0) throw new Error("the file ends too early");
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
