/** The pieces of a body, as they arrive. */
export interface Pieces {
  push(piece: Uint8Array): void;
  /** All of them so far, in order; takes no more afterwards. */
  take(): Uint8Array[];
}

/** Smaller pieces are copied together: each buffer costs a few hundred bytes besides its content. */
const LARGE_PIECE_BYTES = 4 * 1024;
const MAX_BLOCK_BYTES = 64 * 1024;

/** Collects pieces so that a body takes at most twice its bytes of memory, however it is cut. */
export function createPieces(): Pieces {
  const pieces: Uint8Array[] = [];
  let block: Buffer | undefined;
  let used = 0;
  let size = LARGE_PIECE_BYTES;

  const copy = (piece: Uint8Array) => {
    for (let at = 0; at < piece.length; ) {
      block ??= Buffer.allocUnsafeSlow(size);
      const part = piece.subarray(at, at + block.length - used);
      block.set(part, used);
      used += part.length;
      at += part.length;
      if (used < block.length) continue;
      pieces.push(block);
      size = Math.min(size * 2, MAX_BLOCK_BYTES);
      block = undefined;
      used = 0;
    }
  };

  return {
    push(piece) {
      // A large one after a small one is copied too, or pairs of them would waste a block each.
      if (block === undefined && piece.length >= LARGE_PIECE_BYTES) pieces.push(piece);
      else copy(piece);
    },
    take() {
      if (block !== undefined) pieces.push(block.subarray(0, used));
      return pieces;
    },
  };
}
