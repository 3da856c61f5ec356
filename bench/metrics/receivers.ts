import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import type { calls as badCalls } from "../load/bad-receivers.ts";
import type { calls as receiverCalls } from "../load/timed-receiver.ts";
import { type Program, startProgram } from "../measure/program.ts";
import { alternate } from "../measure/rounds.ts";
import { quantile, summary } from "../measure/statistics.ts";
import { inTemporaryFolder, withEnds } from "../measure/temporary-folder.ts";
import type { Metric } from "../metric.ts";
import type { calls as delivererCalls } from "../programs/paced-deliverer.ts";

const badWebhooks = 200;
/** Events of each bad webhook in a round: in all rounds together too few for one to be turned off. */
const loudEvents = 3;
const probePauseMs = 5;
const patienceMs = 5_000;

/** What an account's webhook feels of other accounts' bad receivers. */
export const receivers: Metric = {
  title: `From an event to the webhook's receiver, beside ${badWebhooks} receivers that hang, drip, reset, flood or answer badly`,
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withEnds(async (ends) => {
        const receiver = await startProgram<typeof receiverCalls>(
          new URL("../load/timed-receiver.ts", import.meta.url),
        );
        ends.push(receiver.end);
        const url = await receiver.call("listen", undefined);
        const bad = await startProgram<typeof badCalls>(new URL("../load/bad-receivers.ts", import.meta.url));
        ends.push(bad.end);
        const bad_urls = await bad.call("listen", undefined);
        const open = async (name: string, bad_webhooks: number) => {
          const program = await startProgram<typeof delivererCalls>(
            new URL("../programs/paced-deliverer.ts", import.meta.url),
          );
          ends.push(program.end);
          mkdirSync(join(folder, name));
          await program.call("open", { folder: join(folder, name), url, bad_urls, bad_webhooks });
          return program;
        };
        const probe = (program: Program<typeof delivererCalls>) => async (ms: number) => {
          const done = await program.call("run", { ms, pause_ms: probePauseMs, loud_events: loudEvents });
          const latencies = await allOf(done, () => receiver.call("take", undefined));
          return { done, ms, cpu_us: undefined, latencies };
        };
        const rounds = await alternate(run, {
          alone: probe(await open("alone", 0)),
          beside: probe(await open("beside", badWebhooks)),
        });
        const p99 = ({ latencies = [] }: { latencies?: number[] }) => quantile(latencies, 0.99);
        const alone = rounds.alone.map(p99);
        const beside = rounds.beside.map(p99);
        return {
          figures: [
            {
              name: "receivers: p99 beside bad ones / alone",
              unit: "×",
              ...summary(beside.map((value, index) => value / (alone[index] ?? Number.NaN))),
              target: { at_most: 1.2 },
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

/** Waits until so many have arrived. Throws when they don't. */
async function allOf(count: number, take: () => Promise<number[]>): Promise<number[]> {
  const arrived: number[] = [];
  for (const end = performance.now() + patienceMs; arrived.length < count; await after(5)) {
    arrived.push(...(await take()));
    if (performance.now() > end) throw new Error(`${count} events came about, ${arrived.length} arrived`);
  }
  return arrived;
}
