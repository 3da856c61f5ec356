import { createHash } from "node:crypto";
import { fail, type StreamedBlob } from "@letterslot/core/ports";

/** A blob as it is read. Fails with `storage_unavailable` before the last piece of bytes that don't have this SHA-256. */
export const verifiedBlob = (sha256: string, { size_bytes, bytes }: StreamedBlob): StreamedBlob => ({
  size_bytes,
  bytes: verifiedPieces(sha256, size_bytes, bytes),
});

async function* verifiedPieces(
  sha256: string,
  size_bytes: number,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const counted = createHash("sha256");
  let read = 0;
  for await (const piece of pieces) {
    counted.update(piece);
    read += piece.byteLength;
    if (read >= size_bytes && counted.digest("hex") !== sha256)
      throw fail("storage_unavailable", { cause: new Error("The stored bytes of a blob are damaged.") });
    yield piece;
  }
}
