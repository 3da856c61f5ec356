import { expect, test } from "vitest";
import { batchReads } from "./batch-reads.ts";

test("what is asked for in one turn is loaded together, and each gets its own", async () => {
  const loads: string[][] = [];
  const ask = batchReads(async (keys) => {
    loads.push(keys);
    return new Map(keys.filter((key) => key !== "c").map((key) => [key, key.toUpperCase()]));
  });
  expect(await Promise.all([ask("a"), ask("b"), ask("a"), ask("c")])).toEqual(["A", "B", "A", undefined]);
  expect(await ask("a")).toBe("A");
  expect(loads).toEqual([["a", "b", "c"], ["a"]]);
});

test("a failure reaches all who asked, and the next ask is a new one", async () => {
  let fails = true;
  const ask = batchReads(async (keys) => {
    if (fails) throw new Error("down");
    return new Map(keys.map((key) => [key, key]));
  });
  const outcomes = await Promise.allSettled([ask("a"), ask("b")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  fails = false;
  expect(await ask("a")).toBe("a");
});
