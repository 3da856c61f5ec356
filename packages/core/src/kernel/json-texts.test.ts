import { describe, expect, test } from "vitest";
import { canonicalJson } from "./idempotency.ts";
import { isLongJson, jsonTexts } from "./json-texts.ts";

const LONG = 100_000;
const values: [string, unknown][] = [
  ["nothing", {}],
  ["the kinds of values", { a: null, b: true, c: 1.5, d: [], e: {}, f: [null, "x", [{}]], g: undefined }],
  ["a long text", { text: "word ".repeat(LONG) }],
  ["long texts of quotes and controls", ['"\\\n\u0001\u2028'.repeat(LONG), "\u007f".repeat(LONG)]],
  ["pairs of surrogates", { text: `x${"😀".repeat(LONG)}` }],
  ["halves of pairs", { text: "\ud83d".repeat(LONG), other: "\ude00".repeat(LONG) }],
  ["many items", { data: Array.from({ length: 300 }, (_, id) => ({ id, text: "größe".repeat(900) })) }],
  ["absent items", [undefined, "x".repeat(LONG)]],
];

describe("a JSON value in parts", () => {
  test.each(values)("with %s is what JSON.stringify returns", (_, value) => {
    expect([...jsonTexts(value)].join("") === JSON.stringify(value)).toBe(true);
  });

  test.each(values)("with %s and sorted keys is canonical", (_, value) => {
    expect([...jsonTexts(value, { sorted: true })].join("") === canonicalJson(value)).toBe(true);
  });

  test("has parts of bounded length", () => {
    for (const [, value] of values)
      for (const text of jsonTexts(value)) expect(text.length).toBeLessThanOrEqual(6 * 64 * 1024);
  });
});

test.each([
  ["abcd", 4, false],
  ["abcde", 4, true],
  [{ a: ["ab", { b: "cd" }], c: 1 }, 4, false],
  [{ a: ["ab", { b: "cd" }], c: "e" }, 4, true],
  [null, 0, false],
])("%j is longer than %i units: %s", (value, max, long) => {
  expect(isLongJson(value, max)).toBe(long);
});
