import { setTimeout as after } from "node:timers/promises";
import { LIMITS } from "../../packages/core/src/catalogue/limits.ts";
import type { calls as loadCalls } from "../load/stream-load.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { createDatabase, startDurablePostgres } from "../measure/postgres-database.ts";
import { readResidentMb } from "../measure/process-cost.ts";
import { type Program, startProgram } from "../measure/program.ts";
import type { StorageLocation } from "../measure/service.ts";
import { median, quantile } from "../measure/statistics.ts";
import type { Figure, Metric, Run } from "../metric.ts";
import type { calls as serverCalls } from "../programs/event-server.ts";

const IDLE_STREAMS = 5_000;
const PAUSE_MS = 20;
const SETTLE_MS = 1_000;
const WARM_UP_WRITES = 20;

type Server = Program<typeof serverCalls>;
type Ends = { push(end: () => unknown): void };

/** The time from a commit to the first byte at a waiting reader. */
export const wakeUp: Metric = {
  title: "From a commit to the byte at a stream and a long poll: beside idle streams, and across processes",
  async measure(run) {
    const inOne = await withinOneProcess(run);
    const across = await acrossProcesses(run);
    return { figures: [...inOne.figures, ...across], notes: inOne.notes };
  },
};

function withinOneProcess(run: Run): Promise<{ figures: Figure[]; notes: string[] }> {
  return inTemporaryFolder((folder) =>
    withCleanup(async (cleanups) => {
      const server = await startServer({ folder }, cleanups);
      const load = await startLoad(cleanups);
      const busy = await server.call("onboard", "busy");
      const port = await server.call("listen", undefined);
      const count = run.mails < 100_000 ? IDLE_STREAMS / 10 : IDLE_STREAMS;
      let accounts = 0;
      const openIdle = async (streams: number) => {
        for (let left = streams; left > 0; left -= LIMITS.concurrent_streams_per_key) {
          const { api_key } = await server.call("onboard", `quiet${++accounts}`);
          await load.call("openIdle", {
            port,
            api_key,
            count: Math.min(left, LIMITS.concurrent_streams_per_key),
          });
        }
      };
      await openIdle(50);
      await after(SETTLE_MS);
      const before = readResidentMb(server.pid) ?? Number.NaN;
      await openIdle(count);
      await after(SETTLE_MS);
      const kb = (((readResidentMb(server.pid) ?? Number.NaN) - before) * 1024) / count;
      run.log(`${count} idle streams are open`);
      await load.call("listen", { port, api_key: busy.api_key });
      const waits = await measureWaits(run, load, () => server.call("write", busy.account_id));
      return {
        figures: [
          ...waitFigures("a stream", waits.streamed, { p50: 1, p99: 5 }),
          ...waitFigures("a long poll", waits.polled, { p50: 1, p99: 5 }),
          { name: "wake-up: memory of an idle stream", unit: "KB", value: kb, target: { at_most: 32 } },
        ],
        notes: [
          `beside ${count} idle streams, in one process; across two processes on PostgreSQL without them`,
        ],
      };
    }),
  );
}

function acrossProcesses(run: Run): Promise<Figure[]> {
  return withCleanup(async (cleanups) => {
    const postgres = await startDurablePostgres();
    cleanups.push(postgres.end);
    const database_url = await createDatabase(postgres.url);
    const [listener, writer] = [
      await startServer({ database_url }, cleanups),
      await startServer({ database_url }, cleanups),
    ];
    const load = await startLoad(cleanups);
    const { account_id, api_key } = await listener.call("onboard", "busy");
    await load.call("listen", { port: await listener.call("listen", undefined), api_key });
    const waits = await measureWaits(run, load, () => writer.call("write", account_id));
    return [
      ...waitFigures("another process's stream", waits.streamed, { p50: 5, p99: 20 }),
      ...waitFigures("another process's long poll", waits.polled, { p50: 5, p99: 20 }),
    ];
  });
}

async function startServer(place: StorageLocation, cleanups: Ends): Promise<Server> {
  const server = await startProgram<typeof serverCalls>("programs/event-server.ts", cleanups);
  await server.call("open", place);
  return server;
}

async function startLoad(cleanups: Ends): Promise<Program<typeof loadCalls>> {
  const load = await startProgram<typeof loadCalls>("load/stream-load.ts", cleanups);
  return load;
}

/** Milliseconds from each commit to its arrival. `write` returns when its event was committed. */
async function measureWaits(run: Run, load: Program<typeof loadCalls>, write: () => Promise<number>) {
  for (let each = 0; each < WARM_UP_WRITES; each++) await write();
  await after(SETTLE_MS / 4);
  await load.call("arrivals", undefined);
  const committed: number[] = [];
  for (let each = 0; each < run.rounds * 100; each++) {
    committed.push(await write());
    await after(PAUSE_MS);
  }
  await after(SETTLE_MS / 4);
  const { streamed, polled } = await load.call("arrivals", undefined);
  return { streamed: subtractCommits(committed, streamed), polled: subtractCommits(committed, polled) };
}

function subtractCommits(committed: readonly number[], arrived: readonly number[]): number[] {
  if (arrived.length !== committed.length)
    throw new Error(`${committed.length} events were written, ${arrived.length} arrived at a reader`);
  return arrived.map((time, index) => time - (committed[index] ?? 0));
}

function waitFigures(who: string, waits: readonly number[], target: { p50: number; p99: number }): Figure[] {
  return [
    { name: `wake-up: p50 at ${who}`, unit: "ms", value: median(waits), target: { at_most: target.p50 } },
    {
      name: `wake-up: p99 at ${who}`,
      unit: "ms",
      value: quantile(waits, 0.99),
      target: { at_most: target.p99 },
    },
  ];
}
