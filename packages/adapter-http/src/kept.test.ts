import { expect, test } from "vitest";
import { kept } from "./kept.ts";

test("what was made is kept, and made once for all who ask at the same time", async () => {
  let times = 0;
  const { get, made } = kept(async () => ++times);
  expect(made()).toBeUndefined();
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect([await get(), await made()]).toEqual([1, 1]);
});

test("what failed is not kept: the next one to ask tries again", async () => {
  const answers = [Promise.reject(new Error("no more files can be opened")), Promise.resolve("opened")];
  const { get, made } = kept(() => answers.shift() ?? Promise.reject(new Error("asked too often")));
  await expect(get()).rejects.toThrow("no more files");
  expect(made()).toBeUndefined();
  expect([await get(), await get()]).toEqual(["opened", "opened"]);
});
