import { setTimeout as after } from "node:timers/promises";
import type { calls as loadCalls } from "../load/stream-load.ts";
import { residentMb } from "../measure/process-cost.ts";
import { startProgram } from "../measure/program.ts";
import { median, quantile } from "../measure/statistics.ts";
import { inTemporaryFolder, withEnds } from "../measure/temporary-folder.ts";
import type { Figure, Metric } from "../metric.ts";
import type { calls as serverCalls } from "../programs/event-server.ts";

const idleStreams = 5_000;
const betweenMs = 20;
const settleMs = 1_000;
const warmUps = 20;

/** From a commit to the byte at who waits for it. */
export const wakeUp: Metric = {
  title: "From a commit to the byte at a stream and a long poll, beside idle streams",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withEnds(async (ends) => {
        const server = await startProgram<typeof serverCalls>(new URL("../programs/event-server.ts", import.meta.url));
        ends.push(server.end);
        const load = await startProgram<typeof loadCalls>(new URL("../load/stream-load.ts", import.meta.url));
        ends.push(load.end);
        const { port, busy, quiet } = await server.call("listen", { folder });
        const count = run.mails < 100_000 ? idleStreams / 10 : idleStreams;
        await load.call("openIdle", { port, api_key: quiet, count: 50 });
        await after(settleMs);
        const before = residentMb(server.pid) ?? Number.NaN;
        await load.call("openIdle", { port, api_key: quiet, count: count + 50 });
        await after(settleMs);
        const kb = (((residentMb(server.pid) ?? Number.NaN) - before) * 1024) / count;
        run.say(`${count} idle streams are open`);
        await load.call("listen", { port, api_key: busy });
        for (let each = 0; each < warmUps; each++) await server.call("write", undefined);
        await after(settleMs / 4);
        await load.call("arrivals", undefined);
        const committed: number[] = [];
        const events = run.rounds * 100;
        for (let each = 0; each < events; each++) {
          committed.push(await server.call("write", undefined));
          await after(betweenMs);
        }
        await after(settleMs / 4);
        const { streamed, polled } = await load.call("arrivals", undefined);
        const figures = [...figuresOf("stream", committed, streamed), ...figuresOf("long poll", committed, polled)];
        return {
          figures: [...figures, { name: "wake-up: memory of an idle stream", unit: "KB", value: kb, target: { at_most: 25 } }],
          notes: [`beside ${count} idle streams, in one process`],
        };
      }),
    ),
};

function figuresOf(who: string, committed: readonly number[], arrived: readonly number[]): Figure[] {
  if (arrived.length !== committed.length)
    throw new Error(`${committed.length} events were written, ${arrived.length} came at the ${who}`);
  const waits = arrived.map((time, index) => time - (committed[index] ?? 0));
  return [
    { name: `wake-up: p50 at a ${who}`, unit: "ms", value: median(waits), target: { at_most: 1 } },
    { name: `wake-up: p99 at a ${who}`, unit: "ms", value: quantile(waits, 0.99), target: { at_most: 5 } },
  ];
}
