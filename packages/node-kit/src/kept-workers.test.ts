import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createKeptWorkers } from "./kept-workers.ts";

const IDLE_MS = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A worker that notes when it is told to end. */
function worker() {
  const state = { spent: false, ended: false };
  return {
    state,
    async end() {
      state.ended = true;
    },
  };
}

const pool = (always?: number) =>
  createKeptWorkers<ReturnType<typeof worker>>(IDLE_MS, ({ state }) => state.spent, always);

test("a worker that was given back is taken again, and by one task alone", () => {
  const workers = pool();
  expect(workers.take()).toBeUndefined();
  const first = workers.add(worker());
  expect(workers.take()).toBeUndefined();
  void workers.giveBack(first);
  expect(workers.take()).toBe(first);
  expect(workers.take()).toBeUndefined();
});

test("one that nobody takes is ended, and one that is used is not", () => {
  const workers = pool();
  const [kept, used] = [workers.add(worker()), workers.add(worker())];
  void workers.giveBack(kept);
  void workers.giveBack(used);
  expect(workers.take()).toBe(kept);
  vi.advanceTimersByTime(IDLE_MS);
  expect([kept.state.ended, used.state.ended]).toEqual([false, true]);
  expect(workers.take()).toBeUndefined();
});

test("so many stay for good, until they are spent or the pool is closed", async () => {
  const workers = pool(1);
  const both = [workers.add(worker()), workers.add(worker())] as const;
  for (const each of both) void workers.giveBack(each);
  vi.advanceTimersByTime(10 * IDLE_MS);
  expect(both.map(({ state }) => state.ended)).toEqual([true, false]);
  expect(workers.take()).toBe(both[1]);
  expect(workers.take()).toBeUndefined();
  void workers.giveBack(both[1]);
  await workers.close();
  expect(both[1].state.ended).toBe(true);
});

test("one that died while it was kept is not the one that stays", () => {
  const workers = pool(1);
  const both = [workers.add(worker()), workers.add(worker())] as const;
  for (const each of both) void workers.giveBack(each);
  both[1].state.spent = true;
  vi.advanceTimersByTime(IDLE_MS);
  expect(both.map(({ state }) => state.ended)).toEqual([false, true]);
  expect(workers.take()).toBe(both[0]);
});

test("one that is spent is ended, when it is given back and while it is kept", () => {
  const workers = pool();
  const [before, meanwhile] = [workers.add(worker()), workers.add(worker())];
  before.state.spent = true;
  void workers.giveBack(before);
  expect(before.state.ended).toBe(true);
  void workers.giveBack(meanwhile);
  meanwhile.state.spent = true;
  expect(workers.take()).toBeUndefined();
  expect(meanwhile.state.ended).toBe(true);
});

test("closing ends those that are kept and those in use", async () => {
  const workers = pool();
  const [kept, used] = [workers.add(worker()), workers.add(worker())];
  void workers.giveBack(kept);
  await workers.close();
  expect([kept.state.ended, used.state.ended]).toEqual([true, true]);
  void workers.giveBack(used);
  expect(workers.take()).toBeUndefined();
});
