import { expect, test } from "vitest";
import { createRateLimiter, MAX_COUNTED_KEYS } from "./limits.ts";

test("each key has its own minute, which begins with its first call", () => {
  let now = 0;
  const allow = createRateLimiter(2, () => now);
  expect([allow("a"), allow("a"), allow("a"), allow("b")]).toEqual([true, true, false, true]);
  now = 59_999;
  expect(allow("a")).toBe(false);
  now = 60_000;
  expect([allow("a"), allow("a"), allow("a")]).toEqual([true, true, false]);
});

test("a flood of keys evicts the oldest and keeps the newest", () => {
  const allow = createRateLimiter(1, () => 0);
  allow("first");
  for (let index = 0; index < MAX_COUNTED_KEYS; index += 1) allow(`key ${index}`);
  expect([allow("first"), allow(`key ${MAX_COUNTED_KEYS - 1}`)]).toEqual([true, false]);
});

test("a limit of zero allows nothing", () => {
  expect(createRateLimiter(0, () => 0)("a")).toBe(false);
});
