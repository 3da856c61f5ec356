import type { Log } from "@letterslot/core/ports";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRedisServer, type RedisServer } from "../../../test/support/redis-server.ts";
import { linkIsUp } from "../test/link-is-up.ts";
import { createRedisLink, type RedisLink } from "./redis-link.ts";
import { createRedisQueue } from "./redis-queue.ts";
import { createRedisSignals } from "./redis-signals.ts";

/**
 * Generous on any machine; without a timeout, callers would wait forever for a Redis that does not answer.
 */
const SOON_MS = 10_000;
/** The queue's polling interval without wake-ups. */
const POLL_MS = 5_000;
const POLL_OPTIONS = { timeout: 30_000, interval: 20 };

let server: RedisServer;
const opened: { close(): unknown }[] = [];
const logged: string[] = [];
const log: Log = {
  info: (_, message) => void logged.push(message),
  warn: (_, message) => void logged.push(message),
  error: (_, message) => void logged.push(message),
};

beforeEach(async () => {
  logged.length = 0;
  server = await createRedisServer();
});
afterEach(async () => {
  server.signal("SIGCONT");
  for (const each of opened.splice(0).toReversed()) await each.close();
  await server.close();
});

/** The Redis clients of one process, and how often its worker and listener were called. */
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
  await Promise.all([linkIsUp(api.link), linkIsUp(worker.link)]);
  worker.work();
  await worker.listen();
  await expect.poll(() => worker.calls.worker, POLL_OPTIONS).toBeGreaterThan(0);
  return { api, worker };
}

type Two = Awaited<ReturnType<typeof startTwo>>;

async function duration(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** Expects a wake-up and a signal of one process to reach the other, faster than by polling. */
async function expectDelivery({ api, worker }: Two): Promise<void> {
  const before = { ...worker.calls };
  await api.signals.publish(["inbox:a"]);
  await expect.poll(() => worker.calls.listener, POLL_OPTIONS).toBeGreaterThan(before.listener);
  const start = performance.now();
  const moreThanPolling = async () => {
    await api.queue.send(new Date());
    return worker.calls.worker - before.worker > 1 + (performance.now() - start) / POLL_MS;
  };
  await expect.poll(moreThanPolling, POLL_OPTIONS).toBe(true);
}

const isDown = (link: RedisLink) => expect.poll(link.isUp, POLL_OPTIONS).toBe(false);

describe("a Redis with problems", () => {
  test("FLUSHALL loses wake-ups, whose jobs are found by polling; later wake-ups arrive", async () => {
    await server.start();
    const two = await startTwo();
    await two.api.queue.send(new Date(Date.now() + 2_000));
    await server.flush();
    const before = two.worker.calls.worker;
    await expect.poll(() => two.worker.calls.worker, POLL_OPTIONS).toBeGreaterThan(before);
    await expectDelivery(two);
    expect(two.worker.link.isUp()).toBe(true);
  });

  test("a restart is noticed and survived, wakes every listener, and blocks no caller", async () => {
    await server.start();
    const two = await startTwo();
    await server.kill();
    await Promise.all([isDown(two.api.link), isDown(two.worker.link)]);
    expect(await duration(() => two.api.queue.send(new Date()))).toBeLessThan(SOON_MS);
    expect(await duration(() => two.api.signals.publish(["inbox:a"]))).toBeLessThan(SOON_MS);
    expect(await duration(() => two.api.signals.subscribe("inbox:b", () => undefined))).toBeLessThan(SOON_MS);

    const during_outage = { ...two.worker.calls };
    await expect.poll(() => two.worker.calls.worker, POLL_OPTIONS).toBeGreaterThan(during_outage.worker);
    await expect.poll(() => two.worker.calls.listener, POLL_OPTIONS).toBeGreaterThan(during_outage.listener);

    const { promise: woken, resolve } = Promise.withResolvers<void>();
    await server.start();
    await two.worker.signals.subscribe("inbox:c", resolve);
    await Promise.all([linkIsUp(two.api.link), linkIsUp(two.worker.link)]);
    await woken;
    await expectDelivery(two);
    expect(logged).toContain("Redis is back");
  });

  test("a subscription made while Redis was down works once it is back", async () => {
    await server.start();
    const { api, worker } = await startTwo();
    await server.kill();
    await isDown(worker.link);
    let signals = 0;
    await worker.signals.subscribe("inbox:late", () => void signals++);
    await server.start();
    await Promise.all([linkIsUp(api.link), linkIsUp(worker.link)]);
    await expect
      .poll(
        async () => (await subscriptions(server.url)).filter((key) => key.endsWith("inbox:late")),
        POLL_OPTIONS,
      )
      .toHaveLength(1);
    const before = signals;
    await api.signals.publish(["inbox:late"]);
    await expect.poll(() => signals, POLL_OPTIONS).toBeGreaterThan(before);
  });

  test("a Redis paused for two seconds blocks no caller for long, and everything works afterwards", async () => {
    await server.start();
    const two = await startTwo();
    server.signal("SIGSTOP");
    const durations = await Promise.all([
      duration(() => two.api.queue.send(new Date())),
      duration(() => two.api.signals.publish(["inbox:a"])),
      duration(() => two.api.signals.subscribe("inbox:b", () => undefined)),
    ]);
    for (const time of durations) expect(time).toBeLessThan(SOON_MS);
    await isDown(two.worker.link);
    expect(
      await duration(() => Promise.all(Array.from({ length: 1_000 }, () => two.api.queue.send(new Date())))),
    ).toBeLessThan(SOON_MS);
    const during_outage = two.worker.calls.worker;
    await expect.poll(() => two.worker.calls.worker, POLL_OPTIONS).toBeGreaterThan(during_outage);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const { listener } = two.worker.calls;
    server.signal("SIGCONT");
    await Promise.all([linkIsUp(two.api.link), linkIsUp(two.worker.link)]);
    await expect.poll(() => two.worker.calls.listener, POLL_OPTIONS).toBeGreaterThan(listener);
    await expectDelivery(two);
  });

  test("a Redis that is down at the start does not stop work, and is used once it is up", async () => {
    const [api, worker] = [startProcess(), startProcess()];
    worker.work();
    await worker.listen();
    await expect.poll(() => worker.calls.worker, POLL_OPTIONS).toBeGreaterThan(2);
    await expect.poll(() => worker.calls.listener, POLL_OPTIONS).toBeGreaterThan(0);
    expect(worker.link.isUp()).toBe(false);
    expect(logged.filter((line) => line.startsWith("Redis is down"))).toHaveLength(2);
    await server.start();
    await Promise.all([linkIsUp(api.link), linkIsUp(worker.link)]);
    await expectDelivery({ api, worker });
  });

  test("a Redis that accepts no writes counts as down", async () => {
    await server.start();
    const { link } = startProcess();
    await linkIsUp(link);
    const operator = new Redis(server.url);
    await operator.replicaof("127.0.0.1", "1");
    await isDown(link);
    await operator.replicaof("NO", "ONE");
    await expect.poll(link.isUp, POLL_OPTIONS).toBe(true);
    operator.disconnect();
  });

  test("closing does not wait for a Redis that is down", async () => {
    await server.start();
    const { api, worker } = await startTwo();
    server.signal("SIGSTOP");
    expect(
      await duration(() => Promise.all([api.queue.close(), worker.queue.close(), worker.signals.close()])),
    ).toBeLessThan(SOON_MS);
  });
});

test("a connection with a keyPrefix is refused with advice", () => {
  const connection = new Redis({ keyPrefix: "app:", lazyConnect: true });
  expect(() => createRedisLink({ connection })).toThrow("Give a `prefix` instead");
});

async function subscriptions(url: string): Promise<string[]> {
  const connection = new Redis(url);
  const channels = (await connection.pubsub("CHANNELS")) as string[];
  connection.disconnect();
  return channels;
}
