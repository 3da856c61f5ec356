/**
 * Creates a function that resolves one waiting caller per tick of the event loop, in call order. Long work
 * that awaits it between its steps delays a request by one step only, even when a hundred mails come at once.
 */
export function createYieldToEventLoop(): () => Promise<void> {
  const waiting = new Set<() => void>();
  const next = () => {
    const [first] = waiting;
    if (first === undefined) return;
    // Delete it now: under load the set may not be empty for hours.
    waiting.delete(first);
    first();
    if (waiting.size > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.add(resolve);
      if (waiting.size === 1) setImmediate(next);
    });
}

/**
 * Creates a function that waits for another turn of the event loop before so much is worked on, if this one has had
 * its `share`; both in the same unit, such as bytes.
 */
export function createTurns(
  yieldToEventLoop: () => Promise<void>,
  share: number,
): (amount: number) => Promise<void> {
  let left = share;
  return async (amount) => {
    if (amount > left) {
      await yieldToEventLoop();
      left = share;
    }
    left -= amount;
  };
}

/** Bytes in pieces, before each of which `inTurn` is awaited, which `createTurns` made. */
export async function* inPieces(
  bytes: Uint8Array,
  piece_bytes: number,
  inTurn: (amount: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += piece_bytes) {
    const piece = bytes.subarray(at, at + piece_bytes);
    await inTurn(piece.length);
    yield piece;
  }
}
