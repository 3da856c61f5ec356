import { randomBytes } from "node:crypto";
import type { calls as floorCalls } from "../floors/postgres-webhook-floor.ts";
import type { calls as receiverCalls } from "../load/webhook-receiver.ts";
import { openBacklog } from "../measure/backlog-rounds.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { createDatabase } from "../measure/postgres-database.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Outcome, Run } from "../metric.ts";

/** Deliveries for the floor to find: more than it sends. */
const FLOOR_PER_SECOND = 16_000;
const BACKLOG = { quick: { warm_up: 500, per_second: 2_000 }, usual: { warm_up: 10_000, per_second: 9_000 } };

/** Durable deliveries of the shipped server, compared with an outbox that is claimed and recorded in batches. */
export const postgresWebhooks = (run: Run, server_url: string): Promise<Outcome> =>
  inTemporaryFolder((folder) =>
    withCleanup(async (cleanups) => {
      const receiver = await startProgram<typeof receiverCalls>("load/webhook-receiver.ts", cleanups);
      const { url } = await receiver.call("listen", undefined);
      const database_url = await createDatabase(server_url);
      const environment = { DATABASE_URL: database_url, ENCRYPTION_KEY: randomBytes(32).toString("hex") };
      const size = run.quick ? BACKLOG.quick : BACKLOG.usual;
      const product = await openBacklog({ folder, place: { database_url }, environment, size }, cleanups);
      const floor = await startProgram<typeof floorCalls>("floors/postgres-webhook-floor.ts", cleanups);
      await floor.call("open", { database_url: await createDatabase(server_url), url });
      let sent = 0;
      const rounds = await alternate(run, {
        product: product.play,
        floor: async (ms) => {
          await floor.call("fill", run.quick ? size.per_second : Math.ceil((ms * FLOOR_PER_SECOND) / 1000));
          const round = await floor.call("deliver", ms);
          sent += round.done;
          return round;
        },
      });
      const { received } = await receiver.call("counts", undefined);
      if (received !== sent) throw new Error(`the floor sent ${sent}, ${received} arrived`);
      const { delivered, repeated } = await product.finish();
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
          {
            name: "postgres: CPU of Node, webhooks, floor",
            unit: "µs",
            ...summary(rounds.floor.map(cpuEach)),
          },
        ],
        notes: [`all ${delivered} deliveries arrived, ${repeated} of them twice`],
      };
    }),
  );
