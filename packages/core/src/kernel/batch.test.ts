import { expect, test } from "vitest";
import { createManualClock } from "../../testing/manual-clock.ts";
import { batchReads, batchWrites } from "./batch.ts";

test("keys asked for in one tick are loaded together, and each caller gets its own value", async () => {
  const loads: string[][] = [];
  const get = batchReads(async (keys) => {
    loads.push(keys);
    return new Map(keys.filter((key) => key !== "c").map((key) => [key, key.toUpperCase()]));
  });
  expect(await Promise.all([get("a"), get("b"), get("a"), get("c")])).toEqual(["A", "B", "A", undefined]);
  expect(await get("a")).toBe("A");
  expect(loads).toEqual([["a", "b", "c"], ["a"]]);
});

test("a failed load rejects all its callers, and the next read loads again", async () => {
  let fails = true;
  const get = batchReads(async (keys) => {
    if (fails) throw new Error("down");
    return new Map(keys.map((key) => [key, key]));
  });
  const outcomes = await Promise.allSettled([get("a"), get("b")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  fails = false;
  expect(await get("a")).toBe("a");
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
const alone = { clock: createManualClock(), maxItems: 2, waitMs: 10, mayGrow: () => false };

test("items that arrive during a write go into the next batches, of limited size", async () => {
  const batches: string[][] = [];
  const { write } = batchWrites<string>(async (items) => {
    batches.push(items);
    await turn();
  }, alone);
  await Promise.all(["a", "b", "c", "d"].map(write));
  await write("e");
  expect(batches).toEqual([["a"], ["b", "c"], ["d"], ["e"]]);
});

test("a failure rejects all items of its batch and no others", async () => {
  const { write } = batchWrites<string>(async (items) => {
    await turn();
    if (items.includes("b")) throw new Error("down");
  }, alone);
  const outcomes = await Promise.allSettled(["a", "b", "c", "d"].map(write));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
});

/** A batcher that expects more items until `noMore` is called. */
function expectingMore(max_items: number) {
  const clock = createManualClock();
  const batches: string[][] = [];
  let more = true;
  const { write, flushIfDone } = batchWrites<string>(async (items) => void batches.push(items), {
    clock,
    maxItems: max_items,
    waitMs: 10,
    mayGrow: () => more,
  });
  const noMore = () => {
    more = false;
    flushIfDone();
  };
  return { clock, batches, write, noMore };
}

test("a batch waits until it is full while more items are expected", async () => {
  const { batches, write } = expectingMore(2);
  const first = write("a");
  expect(batches).toEqual([]);
  await Promise.all([first, write("b")]);
  expect(batches).toEqual([["a", "b"]]);
});

test("a batch waits no longer than `wait_ms`, and not once no more items are expected", async () => {
  const { clock, batches, write, noMore } = expectingMore(10);
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
