import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type OpenedQueue, queueKit, signalsKit } from "@letterslot/core/conformance";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, test } from "vitest";
import { createRedisServer, type RedisServer } from "../../../test/support/redis-server.ts";
import { linkIsUp } from "../test/link-is-up.ts";
import { createRedisLink, type RedisLink } from "./redis-link.ts";
import { createRedisQueue } from "./redis-queue.ts";
import { createRedisSignals } from "./redis-signals.ts";

/** The clocks of BullMQ and Redis cannot be moved, so these tests run in real time. */
const LONGEST_ADVANCE_MS = 6_000;
const ARRIVAL_MS = 250;

let server: RedisServer;
beforeAll(async () => {
  server = await createRedisServer();
  await server.start();
});
afterAll(() => server.close());

async function linkUp(prefix: string): Promise<RedisLink> {
  const link = createRedisLink({ url: server.url, prefix });
  await linkIsUp(link);
  return link;
}

const realTime: Pick<OpenedQueue, "now" | "advance" | "lateness_ms"> = {
  lateness_ms: 4_000,
  now: () => new Date(),
  advance: async (milliseconds) => {
    await delay(Math.min(Math.max(milliseconds, ARRIVAL_MS), LONGEST_ADVANCE_MS));
  },
};

describe("the queue, sending and working in one process on the caller's own connection", () => {
  queueKit({
    test: test.concurrent,
    async open() {
      const connection = new Redis(server.url);
      const link = createRedisLink({ connection, prefix: randomUUID() });
      await linkIsUp(link);
      const queue = createRedisQueue(link);
      return {
        ...realTime,
        queue,
        async close() {
          await queue.close();
          link.close();
          // The caller's own connection: fails if it was closed.
          await connection.quit();
        },
      };
    },
  });
});

describe("the queue, sending in one process and working in another", () => {
  queueKit({
    test: test.concurrent,
    async open() {
      const prefix = randomUUID();
      const links = [await linkUp(prefix), await linkUp(prefix)] as const;
      const [api, worker] = [createRedisQueue(links[0]), createRedisQueue(links[1])];
      const close = async () => {
        await Promise.all([api.close(), worker.close()]);
      };
      return {
        ...realTime,
        queue: { send: api.send, work: worker.work, close },
        async close() {
          await close();
          for (const link of links) link.close();
        },
      };
    },
  });
});

describe("signals between three processes, one with the caller's own connection", () => {
  signalsKit({
    test: test.concurrent,
    async open() {
      const prefix = randomUUID();
      const connection = new Redis(server.url);
      const links = [await linkUp(prefix), await linkUp(prefix), createRedisLink({ connection, prefix })];
      const members = links.map(createRedisSignals);
      await Promise.all(links.map(linkIsUp));
      return {
        members,
        /**
         * Redis keeps the order of each connection: a member that received the marker has received everything
         * before it.
         */
        async settle() {
          for (const publisher of members) {
            const marker = randomUUID();
            const received = members.map(() => Promise.withResolvers<void>());
            const stops = await Promise.all(
              members.map((member, index) => member.subscribe(marker, () => received[index]?.resolve())),
            );
            await publisher.publish([marker]);
            await Promise.all(received.map(({ promise }) => promise));
            for (const stop of stops) stop();
          }
        },
        async close() {
          await Promise.all(members.map((member) => member.close()));
          for (const link of links) link.close();
          // The caller's own connection: fails if it was closed.
          await connection.quit();
        },
      };
    },
  });
});
