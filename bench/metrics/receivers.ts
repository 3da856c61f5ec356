import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import type { calls as badCalls } from "../load/bad-receivers.ts";
import type { calls as receiverCalls } from "../load/timed-receiver.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { type Program, startProgram } from "../measure/program.ts";
import { alternate, p99 } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Metric } from "../metric.ts";
import type { calls as delivererCalls } from "../programs/paced-deliverer.ts";

const BAD_WEBHOOKS = 200;
/** Events per bad webhook in a round: too few in all rounds together to disable one. */
const LOUD_EVENTS = 3;
const PROBE_PAUSE_MS = 5;
const PATIENCE_MS = 5_000;

/** Measures the effect of other accounts' failing receivers on an account's webhook. */
export const receivers: Metric = {
  title: `From an event to the webhook's receiver, beside ${BAD_WEBHOOKS} receivers that hang, drip, reset, flood or answer badly`,
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withCleanup(async (cleanups) => {
        const receiver = await startProgram<typeof receiverCalls>("load/timed-receiver.ts", cleanups);
        const url = await receiver.call("listen", undefined);
        const bad = await startProgram<typeof badCalls>("load/bad-receivers.ts", cleanups);
        const bad_urls = await bad.call("listen", undefined);
        const open = async (name: string, bad_webhooks: number) => {
          const program = await startProgram<typeof delivererCalls>("programs/paced-deliverer.ts", cleanups);
          mkdirSync(join(folder, name));
          await program.call("open", { folder: join(folder, name), url, bad_urls, bad_webhooks });
          return program;
        };
        const probe = (program: Program<typeof delivererCalls>) => async (ms: number) => {
          const done = await program.call("run", { ms, pause_ms: PROBE_PAUSE_MS, loud_events: LOUD_EVENTS });
          const latencies = await collect(done, () => receiver.call("take", undefined));
          return { done, ms, cpu_us: undefined, latencies };
        };
        const rounds = await alternate(run, {
          alone: probe(await open("alone", 0)),
          beside: probe(await open("beside", BAD_WEBHOOKS)),
        });
        const alone = rounds.alone.map(p99);
        const beside = rounds.beside.map(p99);
        return {
          figures: [
            {
              name: "receivers: p99 beside bad ones / alone",
              unit: "×",
              ...summary(beside.map((value, index) => value / (alone[index] ?? Number.NaN))),
              target: { at_most: 2 },
            },
            { name: "receivers: p99 alone", unit: "ms", ...summary(alone) },
            { name: "receivers: p99 beside bad ones", unit: "ms", ...summary(beside) },
          ],
          notes: [
            "every event of the good webhook arrived; the bad receivers run on the same machine and take their share of it",
          ],
        };
      }),
    ),
};

/** Waits until `count` events have arrived; throws on timeout. */
async function collect(count: number, take: () => Promise<number[]>): Promise<number[]> {
  const arrived: number[] = [];
  for (const end = performance.now() + PATIENCE_MS; arrived.length < count; await after(5)) {
    arrived.push(...(await take()));
    if (performance.now() > end) throw new Error(`${count} events were published, ${arrived.length} arrived`);
  }
  return arrived;
}
