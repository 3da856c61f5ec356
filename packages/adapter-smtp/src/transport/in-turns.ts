import { Readable } from "node:stream";

/** Signing this much takes some ten milliseconds. */
const BYTES_PER_TURN = 256 * 1024;

/**
 * Bytes for a library that reads them one by one: many of them as a stream that brings 256 KB in each turn of the
 * event loop, so that others have their turns between.
 */
export function inTurns(bytes: Uint8Array): Readable | Buffer {
  if (bytes.length <= BYTES_PER_TURN) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += BYTES_PER_TURN) {
      await new Promise((resolve) => setImmediate(resolve));
      yield Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(BYTES_PER_TURN, bytes.length - at));
    }
  }
  return Readable.from(pieces(), { objectMode: false, highWaterMark: 1 });
}
