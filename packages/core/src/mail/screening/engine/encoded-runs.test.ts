import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { longRuns } from "./encoded-runs.ts";

const run = "QUJDREVGR0hJSktMTU5PUA";

describe("long runs", () => {
  test.each<[string, string, Array<[number, number]>]>([
    ["an empty text", "", []],
    ["prose", "Hello, Ada. On 20 November at 8:30 or so, as ever.", []],
    ["a text that is one", run, [[0, 22]]],
    ["a longer one within", `see ${run}abc here`, [[4, 29]]],
    ["one that ends the text", `see ${run}`, [[4, 26]]],
    ["one character too few", `. ${run.slice(1)} .`, []],
    [
      "two apart",
      `${run}=${run}`,
      [
        [0, 22],
        [23, 45],
      ],
    ],
    ["letters beyond ASCII", `é${"é".repeat(40)}`, []],
  ])("of %s", (_, text, expected) => {
    expect(longRuns(text, 22, 20)).toEqual(expected);
  });

  test("are the first ones alone", () => {
    expect(longRuns(`${run} `.repeat(30), 22, 20)).toHaveLength(20);
  });

  test("are those that a pattern finds", () => {
    const texts = fc.array(fc.constantFrom("a", "Z9+/_-aB", run, "=", "==", " ", ".", "é"), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(texts, (pieces) => {
        const text = pieces.join("");
        const found = Array.from(text.matchAll(/[A-Za-z0-9+/_-]{22,}/g), (match) => [
          match.index,
          match.index + match[0].length,
        ]);
        expect(longRuns(text, 22, 20)).toEqual(found.slice(0, 20));
      }),
      { numRuns: 500, seed: 5 },
    );
  });
});
