/** The pieces that all together go on in one turn of the loop: some 256 KB, which are hashed in well under a millisecond. */
const PIECES_A_TURN = 4;

/**
 * Has streams take turns: before each piece, one waits until the loop has seen to everything else, and only a few go on
 * at once. So many large bodies don't keep a small request waiting.
 */
export function createTurns(): (pieces: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array> {
  const waiting: (() => void)[] = [];
  const next = () => {
    for (const goOn of waiting.splice(0, PIECES_A_TURN)) goOn();
    if (waiting.length > 0) setImmediate(next);
  };
  const turn = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
  return async function* inTurn(pieces) {
    for await (const piece of pieces) {
      yield piece;
      await turn();
    }
  };
}
