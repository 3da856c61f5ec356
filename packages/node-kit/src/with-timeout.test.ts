import { expect, test } from "vitest";
import { withTimeout } from "./with-timeout.ts";

const never = () => new Promise<string>(() => {});

test("a promise that settles in time has its own outcome", async () => {
  expect(await withTimeout(10_000, Promise.resolve("done"))).toBe("done");
  await expect(withTimeout(10_000, Promise.reject(new Error("failed")))).rejects.toThrow("failed");
});

test("one that takes longer is undefined, or what is given in its place", async () => {
  expect(await withTimeout(1, never())).toBeUndefined();
  expect(await withTimeout(1, never(), () => "late")).toBe("late");
  const fails = () => {
    throw new Error("late");
  };
  await expect(withTimeout(1, never(), fails)).rejects.toThrow("late");
});

test("a failure after the time is ignored", async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await withTimeout(1, promise)).toBeUndefined();
  reject(new Error("nobody waits for it"));
  await new Promise((resolve) => setImmediate(resolve));
});

test("no timer outlasts the promise", async () => {
  const before = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  await withTimeout(10_000, Promise.resolve("done"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(process.getActiveResourcesInfo().filter((kind) => kind === "Timeout")).toHaveLength(before);
});
