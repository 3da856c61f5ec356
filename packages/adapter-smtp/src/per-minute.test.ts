import { expect, test } from "vitest";
import { createPerMinute, MAX_COUNTED_KEYS } from "./per-minute.ts";

test("each key has its own minute, which begins with its first count", () => {
  let now = 0;
  const within = createPerMinute(2, () => now);
  expect([within("a"), within("a"), within("a"), within("b")]).toEqual([true, true, false, true]);
  now = 59_999;
  expect(within("a")).toBe(false);
  now = 60_000;
  expect([within("a"), within("a"), within("a")]).toEqual([true, true, false]);
});

test("a flood of keys forgets the oldest and keeps the newest", () => {
  const within = createPerMinute(1, () => 0);
  within("first");
  for (let index = 0; index < MAX_COUNTED_KEYS; index += 1) within(`key ${index}`);
  expect([within("first"), within(`key ${MAX_COUNTED_KEYS - 1}`)]).toEqual([true, false]);
});

test("a limit of none lets nothing through", () => {
  expect(createPerMinute(0, () => 0)("a")).toBe(false);
});
