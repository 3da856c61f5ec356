import { describe, expect, test } from "vitest";
import { meets } from "../metric.ts";
import { formatTarget, number } from "./table.ts";

test.each([
  [1234.5, "1,235"],
  [123.4, "123"],
  [12.34, "12.3"],
  [1.234, "1.23"],
  [-1.234, "-1.23"],
  [Number.POSITIVE_INFINITY, "∞"],
  [Number.NEGATIVE_INFINITY, "unknown"],
  [Number.NaN, "unknown"],
])("the number %d is shown as %s", (value, shown) => {
  expect(number(value)).toBe(shown);
});

describe("a target", () => {
  test.each([
    [5, { at_most: 20 }, "at most 20: met"],
    [Number.POSITIVE_INFINITY, { at_most: 20 }, "at most 20: missed"],
    [Number.NaN, { at_most: 20 }, "at most 20: missed"],
    [Number.NaN, { at_least: 3 }, "at least 3: missed"],
    [3, { at_least: 3 }, "at least 3: met"],
    [3, undefined, ""],
    [Number.NaN, undefined, ""],
  ])("%d against %j: %s", (value, target, shown) => {
    const figure = { name: "", unit: "", value, ...(target && { target }) };
    expect(formatTarget(figure)).toBe(shown);
    expect(meets(figure)).toBe(!shown.endsWith("missed"));
  });
});
