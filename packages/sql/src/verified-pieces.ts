import { createHash } from "node:crypto";
import { fail } from "@letterslot/core/ports";

/** Bytes as they are read. Fails with `storage_unavailable` before the last piece of bytes that don't have this SHA-256. */
export async function* verifiedPieces(
  sha256: string,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const counted = createHash("sha256");
  let last: Uint8Array | undefined;
  for await (const piece of pieces) {
    if (last !== undefined) yield last;
    counted.update(piece);
    last = piece;
  }
  if (counted.digest("hex") !== sha256)
    throw fail("storage_unavailable", { cause: new Error("The stored bytes of a blob are damaged.") });
  if (last !== undefined) yield last;
}
