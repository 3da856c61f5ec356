import type { Log } from "@letterslot/core";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRedisServer, type RedisServer } from "../../../test/support/redis-server.ts";
import { comesUp } from "../test/comes-up.ts";
import { createRedisLink, type RedisLink } from "./redis-link.ts";
import { createRedisQueue } from "./redis-queue.ts";
import { createRedisSignals } from "./redis-signals.ts";

/**
 * More than a caller loses to a Redis that does not answer on any machine; without the bound it would be for
 * ever.
 */
const SOON_MS = 10_000;
/** The queue's own: a worker that no wake-up reaches looks by itself this often. */
const SWEEP_MS = 5_000;
const PATIENCE = { timeout: 30_000, interval: 20 };

let server: RedisServer;
const opened: { close(): unknown }[] = [];
const said: string[] = [];
const log: Log = {
  info: (_, message) => void said.push(message),
  warn: (_, message) => void said.push(message),
  error: (_, message) => void said.push(message),
};

beforeEach(async () => {
  said.length = 0;
  server = await createRedisServer();
});
afterEach(async () => {
  server.signal("SIGCONT");
  for (const each of opened.splice(0).toReversed()) await each.close();
  await server.close();
});

/** What one process has of Redis, and how often its worker and its listener were called. */
function startProcess() {
  const link = createRedisLink({ url: server.url, log });
  const queue = createRedisQueue(link);
  const signals = createRedisSignals(link);
  opened.push(link, queue, signals);
  const calls = { worker: 0, listener: 0 };
  return {
    link,
    queue,
    signals,
    calls,
    work: () => queue.work(async () => void calls.worker++),
    listen: () => signals.subscribe("inbox:a", () => void calls.listener++),
  };
}

async function startTwo() {
  const [api, worker] = [startProcess(), startProcess()];
  await Promise.all([comesUp(api.link), comesUp(worker.link)]);
  worker.work();
  await worker.listen();
  await expect.poll(() => worker.calls.worker, PATIENCE).toBeGreaterThan(0);
  return { api, worker };
}

type Two = Awaited<ReturnType<typeof startTwo>>;

async function duration(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/**
 * A wake-up and a signal of the one process arrive in the other, and faster than any process looks by itself.
 */
async function expectContact({ api, worker }: Two): Promise<void> {
  const before = { ...worker.calls };
  await api.signals.publish(["inbox:a"]);
  await expect.poll(() => worker.calls.listener, PATIENCE).toBeGreaterThan(before.listener);
  const start = performance.now();
  const moreThanSweeps = async () => {
    await api.queue.send(new Date());
    return worker.calls.worker - before.worker > 1 + (performance.now() - start) / SWEEP_MS;
  };
  await expect.poll(moreThanSweeps, PATIENCE).toBe(true);
}

const isDown = (link: RedisLink) => expect.poll(link.isUp, PATIENCE).toBe(false);

describe("a Redis with troubles", () => {
  test("FLUSHALL loses wake-ups, and what they told of is found by a sweep; later ones arrive", async () => {
    await server.start();
    const two = await startTwo();
    await two.api.queue.send(new Date(Date.now() + 2_000));
    await server.flush();
    const before = two.worker.calls.worker;
    await expect.poll(() => two.worker.calls.worker, PATIENCE).toBeGreaterThan(before);
    await expectContact(two);
    expect(two.worker.link.isUp()).toBe(true);
  });

  test("a restart is noticed, got over, and wakes everybody; nobody waits for it", async () => {
    await server.start();
    const two = await startTwo();
    await server.kill();
    await Promise.all([isDown(two.api.link), isDown(two.worker.link)]);
    expect(await duration(() => two.api.queue.send(new Date()))).toBeLessThan(SOON_MS);
    expect(await duration(() => two.api.signals.publish(["inbox:a"]))).toBeLessThan(SOON_MS);
    expect(await duration(() => two.api.signals.subscribe("inbox:b", () => undefined))).toBeLessThan(SOON_MS);

    const away = { ...two.worker.calls };
    await expect.poll(() => two.worker.calls.worker, PATIENCE).toBeGreaterThan(away.worker);
    await expect.poll(() => two.worker.calls.listener, PATIENCE).toBeGreaterThan(away.listener);

    const { promise: woken, resolve } = Promise.withResolvers<void>();
    await server.start();
    await two.worker.signals.subscribe("inbox:c", resolve);
    await Promise.all([comesUp(two.api.link), comesUp(two.worker.link)]);
    await woken;
    await expectContact(two);
    expect(said).toContain("Redis is back");
  });

  test("a subscription made while Redis was away holds when it is back", async () => {
    await server.start();
    const { api, worker } = await startTwo();
    await server.kill();
    await isDown(worker.link);
    let heard = 0;
    await worker.signals.subscribe("inbox:late", () => void heard++);
    await server.start();
    await Promise.all([comesUp(api.link), comesUp(worker.link)]);
    await expect
      .poll(
        async () => (await subscriptions(server.url)).filter((key) => key.endsWith("inbox:late")),
        PATIENCE,
      )
      .toHaveLength(1);
    const before = heard;
    await api.signals.publish(["inbox:late"]);
    await expect.poll(() => heard, PATIENCE).toBeGreaterThan(before);
  });

  test("a Redis that is paused for two seconds holds up nobody for long, and all is well afterwards", async () => {
    await server.start();
    const two = await startTwo();
    server.signal("SIGSTOP");
    const slow = await Promise.all([
      duration(() => two.api.queue.send(new Date())),
      duration(() => two.api.signals.publish(["inbox:a"])),
      duration(() => two.api.signals.subscribe("inbox:b", () => undefined)),
    ]);
    for (const time of slow) expect(time).toBeLessThan(SOON_MS);
    await isDown(two.worker.link);
    expect(
      await duration(() => Promise.all(Array.from({ length: 1_000 }, () => two.api.queue.send(new Date())))),
    ).toBeLessThan(SOON_MS);
    const away = two.worker.calls.worker;
    await expect.poll(() => two.worker.calls.worker, PATIENCE).toBeGreaterThan(away);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const { listener } = two.worker.calls;
    server.signal("SIGCONT");
    await Promise.all([comesUp(two.api.link), comesUp(two.worker.link)]);
    await expect.poll(() => two.worker.calls.listener, PATIENCE).toBeGreaterThan(listener);
    await expectContact(two);
  });

  test("a Redis that is absent at the start keeps nobody from working, and is used when it comes", async () => {
    const [api, worker] = [startProcess(), startProcess()];
    worker.work();
    await worker.listen();
    await expect.poll(() => worker.calls.worker, PATIENCE).toBeGreaterThan(2);
    await expect.poll(() => worker.calls.listener, PATIENCE).toBeGreaterThan(0);
    expect(worker.link.isUp()).toBe(false);
    expect(said.filter((line) => line.startsWith("Redis is away"))).toHaveLength(2);
    await server.start();
    await Promise.all([comesUp(api.link), comesUp(worker.link)]);
    await expectContact({ api, worker });
  });

  test("a Redis that takes no writes counts as away", async () => {
    await server.start();
    const { link } = startProcess();
    await comesUp(link);
    const operator = new Redis(server.url);
    await operator.replicaof("127.0.0.1", "1");
    await isDown(link);
    await operator.replicaof("NO", "ONE");
    await expect.poll(link.isUp, PATIENCE).toBe(true);
    operator.disconnect();
  });

  test("closing does not wait for a Redis that is away", async () => {
    await server.start();
    const { api, worker } = await startTwo();
    server.signal("SIGSTOP");
    expect(
      await duration(() => Promise.all([api.queue.close(), worker.queue.close(), worker.signals.close()])),
    ).toBeLessThan(SOON_MS);
  });
});

test("a connection with a keyPrefix is refused with what to do", () => {
  const connection = new Redis({ keyPrefix: "app:", lazyConnect: true });
  expect(() => createRedisLink({ connection })).toThrow("Give a `prefix` instead");
});

async function subscriptions(url: string): Promise<string[]> {
  const connection = new Redis(url);
  const channels = (await connection.pubsub("CHANNELS")) as string[];
  connection.disconnect();
  return channels;
}
