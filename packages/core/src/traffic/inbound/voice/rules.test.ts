import { describe, expect, test } from "vitest";
import { mayAddTo, mayWrite, subjectOf } from "./rules.ts";

describe("a person's standing", () => {
  test.each([
    [{ owner: true, authority: false }, true],
    [{ owner: false, authority: true }, true],
    [{ owner: false, authority: false }, false],
  ])("%o may write: %s", (standing, may) => expect(mayWrite(standing)).toBe(may));

  test.each([
    [{ owner: true, authority: false }, true, true],
    [{ owner: true, authority: false }, false, false],
    [{ owner: false, authority: true }, false, true],
  ])("%o, having given the task: %s, may add to it: %s", (standing, gave, may) =>
    expect(mayAddTo(standing, gave)).toBe(may),
  );
});

test.each([
  ["Order paper.", "Order paper."],
  ["\n\r\n  Order paper.\t\nTwo boxes.", "Order paper."],
  ["Order\u0000paper", "Order paper"],
  ["x".repeat(78), "x".repeat(78)],
  ["x".repeat(79), `${"x".repeat(77)}…`],
  ["😀".repeat(79), `${"😀".repeat(77)}…`],
  ["\u0007\n", ""],
])("%j is about %j", (text, subject) => expect(subjectOf(text)).toBe(subject));
