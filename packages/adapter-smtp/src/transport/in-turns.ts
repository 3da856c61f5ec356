import { Readable } from "node:stream";

/** Signing this much takes some ten milliseconds. */
const BYTES_PER_TURN = 256 * 1024;

/**
 * Bytes that follow each other, for a library that reads them one by one: many of them as a stream that brings 256 KB in
 * each turn of the event loop, so that others have their turns between.
 */
export function inTurns(...parts: readonly Uint8Array[]): Readable | Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const [only] = parts;
  if (length <= BYTES_PER_TURN)
    return parts.length === 1 && only !== undefined ? bufferOf(only) : Buffer.concat(parts);
  async function* pieces() {
    for (const part of parts)
      for (let at = 0; at < part.length; at += BYTES_PER_TURN) {
        await new Promise((resolve) => setImmediate(resolve));
        yield bufferOf(part.subarray(at, at + BYTES_PER_TURN));
      }
  }
  return Readable.from(pieces(), { objectMode: false, highWaterMark: 1 });
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
