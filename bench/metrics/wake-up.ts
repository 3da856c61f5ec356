import { setTimeout as after } from "node:timers/promises";
import { ownPostgres } from "../../test/support/postgres-server.ts";
import type { calls as loadCalls } from "../load/stream-load.ts";
import { freshDatabase } from "../measure/postgres-database.ts";
import { residentMb } from "../measure/process-cost.ts";
import { type Program, startProgram } from "../measure/program.ts";
import type { Place } from "../measure/service.ts";
import { median, quantile } from "../measure/statistics.ts";
import { inTemporaryFolder, withEnds } from "../measure/temporary-folder.ts";
import type { Figure, Metric, Run } from "../metric.ts";
import type { calls as serverCalls } from "../programs/event-server.ts";

const idleStreams = 5_000;
const betweenMs = 20;
const settleMs = 1_000;
const warmUps = 20;

type Server = Program<typeof serverCalls>;
type Ends = { push(end: () => unknown): void };

/** From a commit to the byte at who waits for it. */
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
    withEnds(async (ends) => {
      const server = await startServer({ folder }, ends);
      const load = await startLoad(ends);
      const [busy, quiet] = [await server.call("onboard", "busy"), await server.call("onboard", "quiet")];
      const port = await server.call("listen", undefined);
      const count = run.mails < 100_000 ? idleStreams / 10 : idleStreams;
      await load.call("openIdle", { port, api_key: quiet.api_key, count: 50 });
      await after(settleMs);
      const before = residentMb(server.pid) ?? Number.NaN;
      await load.call("openIdle", { port, api_key: quiet.api_key, count: count + 50 });
      await after(settleMs);
      const kb = (((residentMb(server.pid) ?? Number.NaN) - before) * 1024) / count;
      run.say(`${count} idle streams are open`);
      await load.call("listen", { port, api_key: busy.api_key });
      const waits = await measureWaits(run, load, () => server.call("write", busy.account_id));
      return {
        figures: [
          ...waitFigures("a stream", waits.streamed, { p50: 1, p99: 5 }),
          ...waitFigures("a long poll", waits.polled, { p50: 1, p99: 5 }),
          { name: "wake-up: memory of an idle stream", unit: "KB", value: kb, target: { at_most: 25 } },
        ],
        notes: [
          `beside ${count} idle streams, in one process; across two processes on PostgreSQL without them`,
        ],
      };
    }),
  );
}

function acrossProcesses(run: Run): Promise<Figure[]> {
  return withEnds(async (ends) => {
    const postgres = await ownPostgres();
    ends.push(postgres.end);
    const database_url = await freshDatabase(postgres.url);
    const [listener, writer] = [
      await startServer({ database_url }, ends),
      await startServer({ database_url }, ends),
    ];
    const load = await startLoad(ends);
    const { account_id, api_key } = await listener.call("onboard", "busy");
    await load.call("listen", { port: await listener.call("listen", undefined), api_key });
    const waits = await measureWaits(run, load, () => writer.call("write", account_id));
    return [
      ...waitFigures("another process's stream", waits.streamed, { p50: 5, p99: 20 }),
      ...waitFigures("another process's long poll", waits.polled, { p50: 5, p99: 20 }),
    ];
  });
}

async function startServer(place: Place, ends: Ends): Promise<Server> {
  const server = await startProgram<typeof serverCalls>(
    new URL("../programs/event-server.ts", import.meta.url),
  );
  ends.push(server.end);
  await server.call("open", place);
  return server;
}

async function startLoad(ends: Ends): Promise<Program<typeof loadCalls>> {
  const load = await startProgram<typeof loadCalls>(new URL("../load/stream-load.ts", import.meta.url));
  ends.push(load.end);
  return load;
}

/** Milliseconds from each commit to its byte. `write` answers when its event was committed. */
async function measureWaits(run: Run, load: Program<typeof loadCalls>, write: () => Promise<number>) {
  for (let each = 0; each < warmUps; each++) await write();
  await after(settleMs / 4);
  await load.call("arrivals", undefined);
  const committed: number[] = [];
  for (let each = 0; each < run.rounds * 100; each++) {
    committed.push(await write());
    await after(betweenMs);
  }
  await after(settleMs / 4);
  const { streamed, polled } = await load.call("arrivals", undefined);
  return { streamed: waitsOf(committed, streamed), polled: waitsOf(committed, polled) };
}

function waitsOf(committed: readonly number[], arrived: readonly number[]): number[] {
  if (arrived.length !== committed.length)
    throw new Error(`${committed.length} events were written, ${arrived.length} came at a reader`);
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
