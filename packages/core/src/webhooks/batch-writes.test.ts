import { expect, test } from "vitest";
import { createManualClock } from "../../testing/manual-clock.ts";
import { batchWrites } from "./batch-writes.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const alone = { clock: createManualClock(), most: 2, pause_ms: 10, coming: () => false };

test("what comes while a batch is being written goes with the next, in batches of a bounded size", async () => {
  const batches: string[][] = [];
  const { write } = batchWrites<string>(async (items) => {
    batches.push(items);
    await turn();
  }, alone);
  await Promise.all(["a", "b", "c", "d"].map(write));
  await write("e");
  expect(batches).toEqual([["a"], ["b", "c"], ["d"], ["e"]]);
});

test("a failure reaches all of its batch and nobody else", async () => {
  const { write } = batchWrites<string>(async (items) => {
    await turn();
    if (items.includes("b")) throw new Error("down");
  }, alone);
  const outcomes = await Promise.allSettled(["a", "b", "c", "d"].map(write));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
});

/** Items of which more are said to come until it is said otherwise. */
function expecting(most: number) {
  const clock = createManualClock();
  const batches: string[][] = [];
  let more = true;
  const { write, look } = batchWrites<string>(async (items) => void batches.push(items), {
    clock,
    most,
    pause_ms: 10,
    coming: () => more,
  });
  const noMore = () => {
    more = false;
    look();
  };
  return { clock, batches, write, noMore };
}

test("while more is coming a batch waits until it is full", async () => {
  const { batches, write } = expecting(2);
  const first = write("a");
  expect(batches).toEqual([]);
  await Promise.all([first, write("b")]);
  expect(batches).toEqual([["a", "b"]]);
});

test("a batch waits no longer than its pause, and not for what came to nothing", async () => {
  const { clock, batches, write, noMore } = expecting(10);
  const first = write("a");
  await clock.advance(9);
  const second = write("b");
  expect(batches).toEqual([]);
  await clock.advance(1);
  await Promise.all([first, second]);
  const third = write("c");
  noMore();
  await third;
  expect(batches).toEqual([["a", "b"], ["c"]]);
});
