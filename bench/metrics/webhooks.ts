import type { calls as receiverCalls } from "../load/webhook-receiver.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import { inTemporaryFolder, withEnds } from "../measure/temporary-folder.ts";
import type { Metric } from "../metric.ts";
import type { calls as delivererCalls } from "../programs/deliverer.ts";

const perSecondAtLeast = 1_000;

/** Webhook deliveries. */
export const webhooks: Metric = {
  title: "Durable signed webhook deliveries against raw undici with 50 connections",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withEnds(async (ends) => {
        const receiver = await startProgram<typeof receiverCalls>(new URL("../load/webhook-receiver.ts", import.meta.url));
        ends.push(receiver.end);
        const { url } = await receiver.call("listen", undefined);
        const deliverer = await startProgram<typeof delivererCalls>(new URL("../programs/deliverer.ts", import.meta.url));
        ends.push(deliverer.end);
        await deliverer.call("open", { folder, url });
        let delivered = 0;
        let posted = 0;
        const countFor = (ms: number) => Math.max(100, Math.round((ms * perSecondAtLeast) / 1000 / 100) * 100);
        const rounds = await alternate(run, {
          product: async (ms) => {
            const count = countFor(ms);
            await deliverer.call("fill", count);
            delivered += count;
            return deliverer.call("deliver", count);
          },
          undici: async (ms) => {
            const count = countFor(ms) * 4;
            posted += count;
            return deliverer.call("postRaw", count);
          },
        });
        const { received } = await receiver.call("counts", undefined);
        if (received !== delivered + posted) throw new Error(`${delivered + posted} were sent, ${received} arrived`);
        return {
          figures: [
            { name: "webhooks: product / undici", unit: "×", ...ratio(rounds.product, rounds.undici), target: { at_least: 0.5 } },
            { name: "webhooks: product", unit: "/s", ...summary(rounds.product.map(rate)) },
            { name: "webhooks: CPU of a delivery", unit: "µs", ...summary(rounds.product.map(cpuEach)) },
            { name: "webhooks: CPU of a raw post", unit: "µs", ...summary(rounds.undici.map(cpuEach)) },
          ],
          notes: ["every delivery arrived exactly once"],
        };
      }),
    ),
};
