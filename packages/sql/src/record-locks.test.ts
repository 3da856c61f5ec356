import { expect, test } from "vitest";
import { createRecordLocks } from "./record-locks.ts";

test("waiters get a lock one at a time, in the order in which they asked", async () => {
  const locks = createRecordLocks();
  const order: string[] = [];
  const work = (name: string) =>
    locks.hold("a", async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
    });
  await Promise.all([work("first"), work("second")]);
  expect(order).toEqual(["first begins", "first ends", "second begins", "second ends"]);
});

test("a lock is released after a failure", async () => {
  const locks = createRecordLocks();
  const failing = locks.hold("a", async () => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await locks.hold("a", async () => "held")).toBe("held");
});

test("a taken lock can't be tried, a free one can", async () => {
  const locks = createRecordLocks();
  const release = await locks.acquire(["a", "b"]);
  expect(locks.tryAcquire("a")).toBeUndefined();
  release();
  expect(locks.tryAcquire("a")).toBeTypeOf("function");
});

test("overlapping sets of locks never deadlock", async () => {
  const locks = createRecordLocks();
  const hold = async (keys: string[]) => {
    const release = await locks.acquire(keys);
    await new Promise((resolve) => setImmediate(resolve));
    release();
  };
  await Promise.all([hold(["a", "b"]), hold(["b", "a"]), hold(["b", "c"]), hold(["c", "a"])]);
  expect(locks.tryAcquire("a")).toBeTypeOf("function");
});
