/**
 * Has streams take turns: after each piece, one waits until the loop has seen to everything else, and one alone goes on
 * then. So many large bodies keep a small request waiting for half as long.
 */
export function createTurns(): (pieces: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array> {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
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
