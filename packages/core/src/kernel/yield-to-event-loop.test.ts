import { expect, test } from "vitest";
import { createTurns, createYieldToEventLoop, inPieces } from "./yield-to-event-loop.ts";

test("one caller per tick is let through, in call order", async () => {
  const turn = createYieldToEventLoop();
  let turns = 0;
  const count = () => {
    turns++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const seen: [string, number][] = [];
  await Promise.all(["a", "b", "c"].map((name) => turn().then(() => seen.push([name, turns]))));
  clearImmediate(counting);
  expect(seen).toEqual([
    ["a", 1],
    ["b", 2],
    ["c", 3],
  ]);
});

test("a caller that comes while others wait is let through after them", async () => {
  const turn = createYieldToEventLoop();
  const seen: string[] = [];
  const first = turn().then(() => {
    seen.push("first");
    return turn().then(() => seen.push("again"));
  });
  const second = turn().then(() => seen.push("second"));
  await Promise.all([first, second]);
  await turn();
  expect(seen).toEqual(["first", "second", "again"]);
});

test.each<[string, number[], number]>([
  ["what fits into a turn's share waits for none", [40, 60], 0],
  ["what exceeds the share waits first", [40, 61, 39], 1],
  ["what is larger than a share has a turn of its own", [1, 500, 1], 2],
  ["nothing costs nothing", [100, 0, 0], 0],
])("%s", async (_, amounts, turns) => {
  let waited = 0;
  const afterAmount = createTurns(async () => void waited++, 100);
  for (const amount of amounts) await afterAmount(amount);
  expect(waited).toBe(turns);
});

test("pieces of several files share their turns", async () => {
  let waited = 0;
  const inTurn = createTurns(async () => void waited++, 100);
  const seen: number[] = [];
  for (const bytes of [250, 0, 40, 60, 100])
    for await (const piece of inPieces(new Uint8Array(bytes), 100, inTurn)) seen.push(piece.length);
  expect(seen).toEqual([100, 100, 50, 40, 60, 100]);
  expect(waited).toBe(4);
});
