import { describe, expect, test } from "vitest";
import { withMissing } from "./rounds.ts";
import { median, quantile, summary } from "./statistics.ts";

const NEVER = Number.POSITIVE_INFINITY;

describe("a quantile", () => {
  test.each([
    [[], 0.99, Number.NaN],
    [[5], 0.99, 5],
    [[3, 1, 2], 0.5, 2],
    [[1, 2, NEVER], 0.5, 2],
    [[1, NEVER, NEVER], 0.5, NEVER],
    [[NEVER, ...Array(99).fill(1)], 0.99, NEVER],
    [[NEVER, ...Array(199).fill(1)], 0.99, 1],
  ])("of %j at %d is %d", (values, q, expected) => {
    expect(quantile(values, q)).toBe(expected);
  });
});

describe("a median", () => {
  test.each([
    [[], Number.NaN],
    [[1, 3], 2],
    [[1, 2, NEVER], 2],
    [[1, NEVER], NEVER],
    [[NEVER, NEVER], NEVER],
  ])("of %j is %d", (values, expected) => {
    expect(median(values)).toBe(expected);
  });
});

test("a summary shows a round in which most never arrived as its highest", () => {
  expect(summary([2, NEVER, 1])).toEqual({ value: 2, spread: [1, NEVER] });
});

describe("what never arrived", () => {
  test.each([
    [[1, 2], 0, [1, 2]],
    [[1, 2], 2, [1, 2, NEVER, NEVER]],
    [[], 1, [NEVER]],
  ])("beside %j, %d times, counts as infinitely late", (latencies, missing, expected) => {
    expect(
      withMissing({ done: latencies.length, ms: 1, cpu_us: undefined, latencies }, missing).latencies,
    ).toEqual(expected);
  });
});
