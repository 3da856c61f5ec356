import { expect, test } from "vitest";
import { together } from "./together.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("what comes while a batch is being written goes with the next, in batches of a bounded size", async () => {
  const batches: string[][] = [];
  const write = together<string>(async (items) => {
    batches.push(items);
    await turn();
  }, 2);
  await Promise.all(["a", "b", "c", "d"].map(write));
  await write("e");
  expect(batches).toEqual([["a"], ["b", "c"], ["d"], ["e"]]);
});

test("a failure reaches all of its batch and nobody else", async () => {
  const write = together<string>(async (items) => {
    await turn();
    if (items.includes("b")) throw new Error("down");
  }, 2);
  const outcomes = await Promise.allSettled(["a", "b", "c", "d"].map(write));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
});
