import { createRedisServer } from "../../test/support/redis-server.ts";
import type { calls as receiverCalls } from "../load/webhook-receiver.ts";
import { openBacklog } from "../measure/backlog-rounds.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Metric } from "../metric.ts";
import type { calls as bullmqCalls } from "../programs/bullmq-deliverer.ts";
import type { calls as undiciCalls } from "../programs/raw-poster.ts";

/** Time limit for BullMQ to finish the remaining jobs. */
const PATIENCE_MS = 60_000;
/** Deliveries for BullMQ to find: more than it sends. */
const BULLMQ_PER_SECOND = 12_000;
/** For the service: the code of a fresh process is compiled during the first ones. */
const BACKLOG = {
  quick: { warm_up: 1_000, per_second: 4_000 },
  usual: { warm_up: 15_000, per_second: 18_000 },
};

/** Webhook deliveries. */
export const webhooks: Metric = {
  title: "Durable signed webhook deliveries of the shipped server against raw undici with 50 connections",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withCleanup(async (cleanups) => {
        const receiver = await startProgram<typeof receiverCalls>("load/webhook-receiver.ts", cleanups);
        const { url } = await receiver.call("listen", undefined);
        const size = run.quick ? BACKLOG.quick : BACKLOG.usual;
        const product = await openBacklog({ folder, place: { folder }, environment: {}, size }, cleanups);
        const redis = await createRedisServer();
        cleanups.push(redis.close);
        await redis.start();
        await redis.command("CONFIG SET appendonly yes");
        const bullmq = await startProgram<typeof bullmqCalls>("programs/bullmq-deliverer.ts", cleanups);
        await bullmq.call("open", { redis_url: redis.url, url });
        const undici = await startProgram<typeof undiciCalls>("programs/raw-poster.ts", cleanups);
        let [added, posted] = [0, 0];
        const rounds = await alternate(run, {
          product: product.play,
          bullmq: async (ms) => {
            const wanted = Math.ceil((ms * BULLMQ_PER_SECOND) / 100_000) * 100;
            const waiting = await bullmq.call("waiting", undefined);
            added += await bullmq.call("fill", wanted - waiting);
            return bullmq.call("deliver", ms);
          },
          undici: async (ms) => {
            const round = await undici.call("post", { url, ms });
            posted += round.done;
            return round;
          },
        });
        await bullmq.call("deliver", PATIENCE_MS);
        const { received } = await receiver.call("counts", undefined);
        if (received !== added + posted) throw new Error(`${added + posted} were sent, ${received} arrived`);
        const { delivered, repeated } = await product.finish();
        return {
          figures: [
            {
              name: "webhooks: product / undici",
              unit: "×",
              ...ratio(rounds.product, rounds.undici),
              target: { at_least: 0.35 },
            },
            {
              name: "webhooks: product / BullMQ",
              unit: "×",
              ...ratio(rounds.product, rounds.bullmq),
              target: { at_least: 2 },
            },
            { name: "webhooks: product", unit: "/s", ...summary(rounds.product.map(rate)) },
            { name: "webhooks: CPU of a delivery", unit: "µs", ...summary(rounds.product.map(cpuEach)) },
            { name: "webhooks: BullMQ", unit: "/s", ...summary(rounds.bullmq.map(rate)) },
            {
              name: "webhooks: CPU of a delivery of BullMQ, without Redis",
              unit: "µs",
              ...summary(rounds.bullmq.map(cpuEach)),
            },
            { name: "webhooks: CPU of a raw post", unit: "µs", ...summary(rounds.undici.map(cpuEach)) },
          ],
          notes: [
            `all ${delivered} deliveries arrived; ${repeated} were sent again because the server was stopped before it had noted them`,
            "BullMQ signs and posts the same; its Redis writes a log that it syncs each second, so it may lose what the service may not",
          ],
        };
      }),
    ),
};
