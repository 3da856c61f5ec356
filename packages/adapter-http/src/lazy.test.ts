import { expect, test } from "vitest";
import { lazy } from "./lazy.ts";

test("a value is created once, also for concurrent callers", async () => {
  let times = 0;
  const { get, current } = lazy(async () => ++times);
  expect(current()).toBeUndefined();
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect([await get(), await current()]).toEqual([1, 1]);
});

test("after a failure the next call tries again", async () => {
  const answers = [Promise.reject(new Error("no more files can be opened")), Promise.resolve("opened")];
  const { get, current } = lazy(() => answers.shift() ?? Promise.reject(new Error("called too often")));
  await expect(get()).rejects.toThrow("no more files");
  expect(current()).toBeUndefined();
  expect([await get(), await get()]).toEqual(["opened", "opened"]);
});
