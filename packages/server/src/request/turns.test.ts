import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

async function* piecesOf(count: number): AsyncGenerator<Uint8Array> {
  for (let piece = 0; piece < count; piece++) yield Uint8Array.of(piece);
}

test("streams go on by turns, one piece each, and all of them end", async () => {
  const inTurn = createTurns();
  let seen = 0;
  let ended = 0;
  const read = async () => {
    for await (const [value] of inTurn(piecesOf(20))) seen += value === undefined ? 0 : 1;
    ended += 1;
  };
  const all = Promise.all(Array.from({ length: 50 }, read));
  const byTurn: number[] = [];
  while (ended < 50) {
    const before = seen;
    await setImmediate();
    byTurn.push(seen - before);
  }
  await all;
  expect(seen).toBe(50 * 20);
  // The first turn begins all of them; from then on one goes on before others may.
  expect(Math.max(...byTurn.slice(1))).toBeLessThanOrEqual(2);
});

test("a stream alone waits for nobody, and one that fails keeps nobody waiting", async () => {
  const inTurn = createTurns();
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield Uint8Array.of(1);
    throw new Error("broken off");
  };
  const ends = await Promise.allSettled(
    [broken(), piecesOf(3)].map(async (pieces) => {
      let count = 0;
      for await (const piece of inTurn(pieces)) count += piece.length;
      return count;
    }),
  );
  expect(ends).toEqual([
    { status: "rejected", reason: new Error("broken off") },
    { status: "fulfilled", value: 3 },
  ]);
});
