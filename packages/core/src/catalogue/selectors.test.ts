import { expect, test } from "vitest";
import { firstSelector, isOurSelector, selectorAfter } from "./selectors.ts";

test("the selectors of a domain begin with its id, and are numbered", () => {
  expect(firstSelector("dom_0123456789abcdefghjk")).toBe("ls-efghjk");
  expect(["ls-efghjk", "ls-efghjk-2", "ls-efghjk-9"].map(selectorAfter)).toEqual([
    "ls-efghjk-2",
    "ls-efghjk-3",
    "ls-efghjk-10",
  ]);
});

test.each<[string, boolean]>([
  ["ls-efghjk", true],
  ["LS-EFGHJK", true],
  ["ls-efghjk-2", true],
  ["ls-efghj", false],
  ["ls-efghjkm", false],
  ["ls-efghjk-", false],
  ["ls-efghjk-x", false],
  ["als-efghjk", false],
  ["ls-efghjk.mail", false],
  ["letterslot", false],
  ["", false],
])("whether the selector %j is of our form: %s", (selector, ours) => {
  expect(isOurSelector(selector)).toBe(ours);
});
