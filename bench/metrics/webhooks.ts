import { createRedisServer } from "../../test/support/redis-server.ts";
import type { calls as receiverCalls } from "../load/webhook-receiver.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { type Program, startProgram } from "../measure/program.ts";
import { alternate, cpuEach, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Metric } from "../metric.ts";
import type { calls as bullmqCalls } from "../programs/bullmq-deliverer.ts";
import type { calls as delivererCalls } from "../programs/deliverer.ts";

const MIN_PER_SECOND = 1_000;

/** Webhook deliveries. */
export const webhooks: Metric = {
  title: "Durable signed webhook deliveries against raw undici with 50 connections",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withCleanup(async (cleanups) => {
        const receiver = await startProgram<typeof receiverCalls>("load/webhook-receiver.ts", cleanups);
        const { url } = await receiver.call("listen", undefined);
        const deliverer = await startProgram<typeof delivererCalls>("programs/deliverer.ts", cleanups);
        await deliverer.call("open", { place: { folder }, url });
        const redis = await createRedisServer();
        cleanups.push(redis.close);
        await redis.start();
        await redis.command("CONFIG SET appendonly yes");
        const bullmq = await startProgram<typeof bullmqCalls>("programs/bullmq-deliverer.ts", cleanups);
        await bullmq.call("open", { redis_url: redis.url, url });
        const countFor = (ms: number) => Math.max(100, Math.round((ms * MIN_PER_SECOND) / 1000 / 100) * 100);
        let delivered = 0;
        let posted = 0;
        const deliverWith =
          (program: Program<Pick<typeof delivererCalls, "fill" | "deliver">>) => async (ms: number) => {
            const count = countFor(ms);
            await program.call("fill", count);
            delivered += count;
            return program.call("deliver", count);
          };
        const rounds = await alternate(run, {
          product: deliverWith(deliverer),
          bullmq: deliverWith(bullmq),
          undici: async (ms) => {
            const count = countFor(ms) * 4;
            posted += count;
            return deliverer.call("postRaw", count);
          },
        });
        const { received } = await receiver.call("counts", undefined);
        if (received !== delivered + posted)
          throw new Error(`${delivered + posted} were sent, ${received} arrived`);
        return {
          figures: [
            {
              name: "webhooks: product / undici",
              unit: "×",
              ...ratio(rounds.product, rounds.undici),
              target: { at_least: 0.5 },
            },
            {
              name: "webhooks: product / BullMQ",
              unit: "×",
              ...ratio(rounds.product, rounds.bullmq),
              target: { at_least: 1.2 },
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
            "every delivery arrived exactly once",
            "BullMQ signs and posts the same; its Redis writes a log that it syncs each second, so it may lose what the service may not",
          ],
        };
      }),
    ),
};
