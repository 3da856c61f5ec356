import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSemaphore } from "./semaphore.ts";

const limits = { permits: 2, max_waiting: 10, max_waiting_per_network: 3, wait_ms: 60_000, short_ms: 200 };

// A request that still waits when a test ends would be refused a minute later, while another file's tests run.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Takes permits in the background and records the order in which they are granted. */
function world(change: Partial<typeof limits> = {}) {
  const clock = { ms: 0 };
  const acquire = createSemaphore({ ...limits, ...change, now: () => clock.ms });
  const granted: string[] = [];
  const release = new Map<string, () => void>();
  const ask = async (name: string, network: string | null, expected_ms = 100) => {
    const free = await acquire({ network, expected_ms });
    granted.push(name);
    release.set(name, free);
  };
  const end = async (name: string, after_ms: number) => {
    clock.ms += after_ms;
    release.get(name)?.();
    await setImmediate();
  };
  return { clock, granted, ask, end };
}

test("a network never holds the last place: another finds one free", async () => {
  const { granted, ask } = world();
  for (const name of ["a1", "a2", "a3"]) void ask(name, "a");
  void ask("b1", "b");
  await setImmediate();
  expect(granted).toEqual(["a1", "b1"]);
});

test("mail of this machine may hold every place, and so may a network if there is only one", async () => {
  const own = world();
  await Promise.all([own.ask("one", null), own.ask("two", null)]);
  expect(own.granted).toEqual(["one", "two"]);
  const single = world({ permits: 1 });
  await single.ask("a1", "a");
  expect(single.granted).toEqual(["a1"]);
});

test("of those that wait, the network that used the least of late is first, then the first to come", async () => {
  const { granted, ask, end } = world({ permits: 1 });
  for (const name of ["a1", "a2", "a3"]) void ask(name, "a");
  await setImmediate();
  void ask("b1", "b");
  void ask("c1", "c");
  await end("a1", 500);
  expect(granted).toEqual(["a1", "b1"]);
  void ask("b2", "b");
  await end("b1", 100);
  await end("c1", 700);
  expect(granted).toEqual(["a1", "b1", "c1", "b2"]);
  await end("b2", 450);
  expect(granted).toEqual(["a1", "b1", "c1", "b2", "a2"]);
});

test("what a network used half a minute ago counts half", async () => {
  const { clock, granted, ask, end } = world({ permits: 1 });
  await ask("a1", "a");
  await end("a1", 1_000);
  clock.ms += 30_000;
  await ask("b1", "b");
  await end("b1", 600);
  await ask("busy", "c");
  void ask("b2", "b");
  void ask("a2", "a");
  await end("busy", 1);
  expect(granted.at(-1)).toBe("a2");
});

test("short use goes before long use of another network that used as little", async () => {
  const { granted, ask, end } = world({ permits: 1 });
  await ask("a1", "a", 5_000);
  for (const name of ["b", "c", "d"]) void ask(name, name, 5_000);
  void ask("short", "e", 100);
  await end("a1", 5_000);
  expect(granted).toEqual(["a1", "short"]);
});

test("long use, whatever networks it is of, leaves a place to short use", async () => {
  const { granted, ask, end } = world();
  for (const name of ["a", "b", "c"]) void ask(name, name, 5_000);
  void ask("own", null, 5_000);
  void ask("short", "d", 200);
  await setImmediate();
  expect(granted).toEqual(["a", "short"]);
  await end("short", 200);
  expect(granted).toEqual(["a", "short"]);
  await end("a", 5_000);
  expect(granted).toEqual(["a", "short", "b"]);
});

test("a network's queue is limited, and leaves room for others'", async () => {
  const { ask } = world();
  for (const name of ["a1", "a2", "a3", "a4"]) void ask(name, "a");
  await expect(ask("a5", "a")).rejects.toMatchObject({ code: "storage_unavailable" });
  await ask("b1", "b");
});
