import type { calls as floorCalls } from "../floors/postgres-webhook-floor.ts";
import type { calls as receiverCalls } from "../load/webhook-receiver.ts";
import { withCleanup } from "../measure/cleanup.ts";
import { createDatabase } from "../measure/postgres-database.ts";
import { type Program, startProgram } from "../measure/program.ts";
import { alternate, cpuEach, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Outcome, Run } from "../metric.ts";
import type { calls as delivererCalls } from "../programs/deliverer.ts";

const MIN_PER_SECOND = 500;

/** Durable deliveries, compared with an outbox that is claimed and recorded in batches. */
export const postgresWebhooks = (run: Run, server_url: string): Promise<Outcome> =>
  withCleanup(async (cleanups) => {
    const receiver = await startProgram<typeof receiverCalls>("load/webhook-receiver.ts", cleanups);
    const { url } = await receiver.call("listen", undefined);
    const database_url = await createDatabase(server_url);
    const product = await startProgram<typeof delivererCalls>("programs/deliverer.ts", cleanups);
    await product.call("open", { place: { database_url }, url });
    const floor = await startProgram<typeof floorCalls>("floors/postgres-webhook-floor.ts", cleanups);
    await floor.call("open", { database_url, url });
    let sent = 0;
    const deliverWith =
      (program: Program<Pick<typeof floorCalls, "fill" | "deliver">>) => async (ms: number) => {
        const count = Math.max(100, Math.round((ms * MIN_PER_SECOND) / 1000 / 100) * 100);
        sent += count;
        await program.call("fill", count);
        return program.call("deliver", count);
      };
    const rounds = await alternate(run, { product: deliverWith(product), floor: deliverWith(floor) });
    const { received } = await receiver.call("counts", undefined);
    if (received !== sent) throw new Error(`${sent} were sent, ${received} arrived`);
    return {
      figures: [
        {
          name: "postgres: webhooks / floor",
          unit: "×",
          ...ratio(rounds.product, rounds.floor),
          target: { at_least: 0.6 },
        },
        { name: "postgres: webhooks", unit: "/s", ...summary(rounds.product.map(rate)) },
        { name: "postgres: CPU of Node, webhooks", unit: "µs", ...summary(rounds.product.map(cpuEach)) },
        { name: "postgres: CPU of Node, webhooks, floor", unit: "µs", ...summary(rounds.floor.map(cpuEach)) },
      ],
    };
  });
