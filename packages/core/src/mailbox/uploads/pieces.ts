/** Bytes as they come, passed on once `check` has been told how many there are so far; returns how many there were. */
export async function* checkedPieces(
  bytes: AsyncIterable<Uint8Array>,
  check: (size: number) => void,
): AsyncGenerator<Uint8Array, number> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.byteLength;
    check(size);
    yield piece;
  }
  return size;
}
