import { createHash } from "node:crypto";
import type { Blobs } from "../src/ports/blobs.ts";
import type { Clock } from "../src/ports/clock.ts";

/** In-memory blobs; bytes are copied in and out. */
export function createMemoryBlobs(clock: Clock): Blobs {
  const stored = new Map<string, { bytes: Uint8Array; put_at: number }>();

  const put = async (bytes: Uint8Array) => {
    const hash = createHash("sha256").update(bytes).digest("hex");
    stored.set(hash, {
      bytes: stored.get(hash)?.bytes ?? Uint8Array.from(bytes),
      put_at: clock.now().getTime(),
    });
    return hash;
  };

  return {
    put,
    async putStream(source, known) {
      const blob = known && stored.get(known.hash);
      if (known !== undefined && blob !== undefined) {
        blob.put_at = clock.now().getTime();
        return known;
      }
      const pieces: Uint8Array[] = [];
      for await (const piece of source) pieces.push(Uint8Array.from(piece));
      const bytes = Buffer.concat(pieces);
      return { hash: await put(bytes), size_bytes: bytes.length };
    },
    async get(hash) {
      const blob = stored.get(hash);
      return blob && Uint8Array.from(blob.bytes);
    },
    async getStream(hash) {
      const blob = stored.get(hash);
      return blob && { size_bytes: blob.bytes.byteLength, bytes: inPieces(blob.bytes) };
    },
    async has(hashes) {
      return new Set(hashes.filter((hash) => stored.has(hash)));
    },
    async delete(hash, unless_put_since) {
      const blob = stored.get(hash);
      if (blob !== undefined && blob.put_at >= unless_put_since.getTime()) return false;
      stored.delete(hash);
      return true;
    },
  };
}

const PIECE_BYTES = 64 * 1024;

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.slice(at, at + PIECE_BYTES);
}
