import { expect, test } from "vitest";
import { createMemoryStorage } from "../../testing/memory-storage.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { answerOnce, keepAnswer } from "./idempotency.ts";

const start = new Date("2026-01-01T00:00:00.000Z");
const call = (fingerprint = "f") => ({ account_id: "acct_1", key: "k", fingerprint });
const inProgress = { code: "idempotency_request_in_progress", retry_after_seconds: 1 };
const conflict = { code: "idempotency_key_conflict" };

/** Two processes on one storage. */
function open() {
  const storage = createMemoryStorage();
  const [here, there] = [0, 1].map(() => ({ storage, callsInProgress: new Map<string, string>() }));
  if (here === undefined || there === undefined) throw new Error("two were made");
  /** An effect that says who had it. */
  const effect = (said: string, now = start) => {
    const response = { said };
    return storage.transaction(async (tx) => {
      await keepAnswer(tx, call(), response, now);
      return response;
    });
  };
  return { storage, here, there, effect };
}

test("a successful call's answer is repeated for 24 hours", async () => {
  const { here, effect } = open();
  expect(await answerOnce(here, call(), start, () => effect("first"))).toEqual({ said: "first" });
  const end = new Date(start.getTime() + LIMITS.idempotency_window_ms);
  const before = new Date(end.getTime() - 1);
  const again = (now: Date) => answerOnce(here, call(), now, () => effect("second", now));
  expect(await again(before)).toEqual({ said: "first", idempotent: true });
  await expect(answerOnce(here, call("g"), before, () => effect("another"))).rejects.toMatchObject(conflict);
  expect(await again(end)).toEqual({ said: "second" });
  expect(await again(end)).toEqual({ said: "second", idempotent: true });
});

test("while a call is under way in a process, repeating it is refused, and a different call is a conflict", async () => {
  const { here, effect } = open();
  const { promise, resolve } = Promise.withResolvers<{ said: string }>();
  const first = answerOnce(here, call(), start, () => promise);
  await expect(answerOnce(here, call(), start, () => effect("second"))).rejects.toMatchObject(inProgress);
  await expect(answerOnce(here, call("g"), start, () => effect("another"))).rejects.toMatchObject(conflict);
  resolve({ said: "first" });
  expect(await first).toEqual({ said: "first" });
});

test("of two processes at one call, one has the effect and both return its answer", async () => {
  const { storage, here, there, effect } = open();
  const late = Promise.withResolvers<void>();
  const second = answerOnce(there, call(), start, async () => {
    await late.promise;
    return effect("second");
  });
  expect(await answerOnce(here, call(), start, () => effect("first"))).toEqual({ said: "first" });
  late.resolve();
  expect(await second).toEqual({ said: "first", idempotent: true });
  expect(await storage.find("idempotency", { where: {}, limit: 2 })).toMatchObject([
    { response: { said: "first" } },
  ]);
});

test("a second call with a different request is a conflict", async () => {
  const { here, there, effect } = open();
  const late = Promise.withResolvers<void>();
  const second = answerOnce(there, call("g"), start, async () => {
    await late.promise;
    return effect("second");
  });
  await answerOnce(here, call(), start, () => effect("first"));
  late.resolve();
  await expect(second).rejects.toMatchObject(conflict);
});

test("a call whose key was used in the meantime has no effect", async () => {
  const { effect } = open();
  await effect("first");
  await expect(effect("second")).rejects.toMatchObject(inProgress);
});

test("of two calls that find an expired key, one gets it, even without a lock", async () => {
  const { storage, effect } = open();
  await effect("old");
  const later = new Date(start.getTime() + LIMITS.idempotency_window_ms);
  const find = () => storage.find("idempotency", { where: {}, limit: 2 });
  const meet = (meanwhile: () => Promise<unknown>) => {
    const insert = async (...words: Parameters<typeof storage.insert>) => {
      const found = await storage.insert(...words);
      await meanwhile();
      return found;
    };
    return keepAnswer(
      { ...storage, insert: insert as typeof storage.insert },
      call(),
      { said: "second" },
      later,
    );
  };
  await expect(meet(() => storage.delete("idempotency", { key: "k" }))).rejects.toMatchObject(inProgress);
  await effect("old");
  await expect(meet(() => effect("first", later))).rejects.toMatchObject(inProgress);
  expect(await find()).toMatchObject([{ response: { said: "first" } }]);
});

test("a failed call leaves its key unused", async () => {
  const { here, effect } = open();
  await expect(answerOnce(here, call(), start, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await answerOnce(here, call(), start, () => effect("second"))).toEqual({ said: "second" });
});
