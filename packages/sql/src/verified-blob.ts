import { createHash } from "node:crypto";
import { fail, type StreamedBlob } from "@letterslot/core/ports";

/** A blob as it is read. Fails with `storage_unavailable` before the last piece of bytes that don't have this SHA-256. */
export const verifiedBlob = (sha256: string, { size_bytes, bytes }: StreamedBlob): StreamedBlob => ({
  size_bytes,
  bytes: verifiedPieces(sha256, bytes),
});

async function* verifiedPieces(
  sha256: string,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const counted = createHash("sha256");
  // Which piece is the last is known only when there is no other.
  let held: Uint8Array | undefined;
  for await (const piece of pieces) {
    if (held !== undefined) yield held;
    counted.update(piece);
    held = piece;
  }
  if (counted.digest("hex") !== sha256)
    throw fail("storage_unavailable", { cause: new Error("The stored bytes of a blob are damaged.") });
  if (held !== undefined) yield held;
}
