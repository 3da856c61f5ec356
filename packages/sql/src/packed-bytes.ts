import { promisify } from "node:util";
import { zstdCompress, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Larger bytes are kept as they are: they are attachments mostly, which were packed by whoever made them. */
export const PACKABLE_BYTES = 64 * 1024;
/** Up to this size packing takes some thirty microseconds, less than handing it to another thread. */
const AT_ONCE_BYTES = 8 * 1024;
/** Shorter bytes would hardly become fewer. */
const WORTH_BYTES = 256;

/** Bytes as they are kept, and how: by zstd (RFC 8878), or as they are. */
export interface KeptBytes {
  bytes: Uint8Array;
  coding: "zstd" | null;
}

const packAside = promisify(zstdCompress);

/** Packs bytes that become fewer by it. */
export async function packBytes(bytes: Uint8Array): Promise<KeptBytes> {
  if (bytes.length < WORTH_BYTES || bytes.length > PACKABLE_BYTES) return { bytes, coding: null };
  const packed = bytes.length <= AT_ONCE_BYTES ? zstdCompressSync(bytes) : await packAside(bytes);
  return packed.length < bytes.length ? { bytes: packed, coding: "zstd" } : { bytes, coding: null };
}

/**
 * The bytes that were packed. Throws for a coding that this version doesn't know, and for more than were ever
 * packed.
 */
export function unpackBytes(bytes: Uint8Array, coding: unknown): Uint8Array {
  if (coding === null) return bytes;
  if (coding !== "zstd")
    throw new Error(`bytes are kept in a form that this version does not know: ${JSON.stringify(coding)}`);
  return zstdDecompressSync(bytes, { maxOutputLength: PACKABLE_BYTES });
}
