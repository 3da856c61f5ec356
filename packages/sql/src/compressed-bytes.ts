import { promisify } from "node:util";
import { type ZstdOptions, zstdCompress, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Larger blobs are stored as they are: most are attachments in formats that are compressed already. */
export const MAX_COMPRESSIBLE_BYTES = 64 * 1024;
/** Up to this size compression takes about 30 µs, which is less than handing it to another thread. */
const MAX_SYNC_BYTES = 8 * 1024;
/** The output is collected in chunks of this size at most. */
const MAX_CHUNK_BYTES = 16 * 1024;
/** Shorter blobs would hardly shrink. */
const MIN_COMPRESSIBLE_BYTES = 256;

/** Bytes in their stored form: compressed with zstd (RFC 8878), or unchanged. */
export interface StoredBytes {
  bytes: Uint8Array;
  coding: "zstd" | null;
}

const compressInThread = promisify<Uint8Array, ZstdOptions, Uint8Array>(zstdCompress);

/** Compresses bytes where that makes them smaller. */
export async function compressBytes(bytes: Uint8Array): Promise<StoredBytes> {
  if (bytes.length < MIN_COMPRESSIBLE_BYTES || bytes.length > MAX_COMPRESSIBLE_BYTES)
    return { bytes, coding: null };
  // Without the size each compression would take three megabytes, for a window that these bytes don't fill.
  // Without the chunk's, each result would hold 16 KB, even if it is a few hundred bytes.
  const options = { pledgedSrcSize: bytes.length, chunkSize: Math.min(bytes.length, MAX_CHUNK_BYTES) };
  const compressed =
    bytes.length <= MAX_SYNC_BYTES
      ? zstdCompressSync(bytes, options)
      : await compressInThread(bytes, options);
  return compressed.length < bytes.length ? { bytes: compressed, coding: "zstd" } : { bytes, coding: null };
}

/** The original bytes. Throws on an unknown coding, and on output larger than `MAX_COMPRESSIBLE_BYTES`. */
export function decompressBytes(bytes: Uint8Array, coding: unknown): Uint8Array {
  if (coding === null) return bytes;
  if (coding !== "zstd")
    throw new Error(`this version cannot read blobs with the coding ${JSON.stringify(coding)}`);
  return zstdDecompressSync(bytes, { maxOutputLength: MAX_COMPRESSIBLE_BYTES });
}
