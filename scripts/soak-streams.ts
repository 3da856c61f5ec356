import { readFileSync } from "node:fs";
import { type Client, createClient } from "@letterslot/client";
import { type Footprint, findGrowth, readFootprint } from "../test/support/footprint.ts";
import { REPORT_HEAP_OPTION, readHeapInUse } from "../test/support/heap-in-use.ts";
import { createServerHome, type ServerProcess } from "../test/support/server-process.ts";
import { openReader, type StreamReader } from "../test/support/stream-reader.ts";
import { until } from "../test/support/until.ts";
import { duration } from "./terminal.ts";

/** Nearly as many as one address may open in an hour. */
const ACCOUNTS = 25;
/** Per account: with its own key, and with a key for its second inbox only. */
const READERS_PER_KEY = 200;
const OPEN_BATCH = 100;
const ROUNDS = 4;
const PROBES = 500;
/** The tolerated slowdown of an API call while the streams are open; generous, for a busy machine. */
const MAX_SLOWER_MS = 250;
const MAX_SLOWER_FACTOR = 5;
const TIMEOUT_MS = 120_000;
/** Files that a process may have open besides its streams. */
const OTHER_FILES = 200;
const COLUMNS = [
  "round",
  "streams",
  "heartbeats",
  "events",
  "p99 alone",
  "p99 beside",
  "RSS MB",
  "heap MB",
  "handles",
];

interface Tenant {
  client: Client;
  keys: { api_key: string; whole: boolean }[];
  inbox_ids: [string, string];
}

interface Reading {
  reader: StreamReader;
  tenant: number;
  whole: boolean;
}

/**
 * Opens 10,000 idle streams of many accounts on a real server in several rounds. Returns the problems found: a
 * stream without a heartbeat, an event that is missing, repeated or another account's, slow calls, and
 * resources that are not released when idle.
 */
export async function soakStreams(): Promise<string[]> {
  const streams = ACCOUNTS * 2 * READERS_PER_KEY;
  const files = readOpenFileLimit();
  if (files < streams + OTHER_FILES)
    return [`A process may open only ${files} files: raise the limit (ulimit -n) for ${streams} streams.`];
  const home = await createServerHome({ SMTP_PORT: "off", NODE_OPTIONS: REPORT_HEAP_OPTION });
  let server: ServerProcess | undefined;
  try {
    server = await home.start();
    const { pid } = server;
    return await soak(home.base_url, server, () => readFootprint(pid, home.data_dir));
  } finally {
    await server?.end("SIGTERM");
    home.remove();
  }
}

async function soak(
  base_url: string,
  server: ServerProcess,
  readCurrent: () => Footprint,
): Promise<string[]> {
  const began = performance.now();
  const tenants: Tenant[] = [];
  for (let number = 0; number < ACCOUNTS; number++) tenants.push(await createTenant(base_url, number));
  const rests: Footprint[] = [];
  const problems: string[] = [];
  console.log(COLUMNS.map((column) => column.padStart(10)).join(" "));
  for (let round = 1; round <= ROUNDS; round++) {
    const { cells, found } = await runRound(Number(new URL(base_url).port), tenants, round, readCurrent);
    problems.push(...found.map((trouble) => `Round ${round}: ${trouble}`));
    // Resident memory depends on when the collector runs; the heap in use depends on the service.
    const rest = { ...readCurrent(), rss_mb: await readHeapInUse(server) };
    rests.push(rest);
    console.log(
      [round, ...cells, rest.rss_mb, rest.handles].map((cell) => String(cell).padStart(10)).join(" "),
    );
  }
  console.log(`  ${ROUNDS} rounds in ${duration(performance.now() - began)}`);
  return [...problems, ...findGrowth(rests)];
}

async function createTenant(base_url: string, number: number): Promise<Tenant> {
  const { api_key, inbox } = await createClient({ baseUrl: base_url }).accounts.onboard({
    username: `agent${number}`,
  });
  const client = createClient({ baseUrl: base_url, apiKey: api_key, timeoutMs: TIMEOUT_MS });
  const second = await client.inboxes.create({ username: `second${number}` });
  const scoped = await client.keys.createForInbox({ inbox_id: second.id, name: "scoped" });
  const keys = [
    { api_key, whole: true },
    { api_key: scoped.api_key, whole: false },
  ];
  return { client, keys, inbox_ids: [inbox.id, second.id] };
}

async function runRound(port: number, tenants: Tenant[], round: number, readCurrent: () => Footprint) {
  const [{ client: anybody } = { client: undefined }] = tenants;
  if (anybody === undefined) throw new Error("there is no account");
  const before = readCurrent();
  const alone = await measureP99(anybody);
  const readings = await openAll(port, tenants);
  const beside = await measureP99(anybody);
  const readers = readings.map(({ reader }) => reader);
  const last = `second, round ${round}`;
  for (const [number, { client, inbox_ids }] of tenants.entries()) {
    for (const [index, inbox_id] of inbox_ids.entries()) {
      const subject = `${number}: ${index === 0 ? `first, round ${round}` : last}`;
      await client.messages.inject({ inbox_id, from: "mara@family.example.com", subject, text: "x" });
    }
  }
  const found: string[] = [];
  const wait = (what: string, isSo: () => boolean) =>
    until(what, isSo, TIMEOUT_MS).catch((error: Error) => void found.push(error.message));
  await wait("a heartbeat of every stream", () => readers.every(({ heartbeats }) => heartbeats > 0));
  await wait("the last event at every stream", () =>
    readers.every(({ events }) => events.some(({ subject }) => subject.endsWith(last))),
  );
  const full = readCurrent().rss_mb;
  for (const reader of readers) reader.hangUp();
  await wait("the connections to be gone", () => readCurrent().handles <= before.handles + tenants.length);

  const wrong = readings.filter(({ reader, tenant, whole }) => {
    const own = [...(whole ? [`${tenant}: first, round ${round}`] : []), `${tenant}: ${last}`];
    return reader.events.map(({ subject }) => subject).join() !== own.join();
  });
  if (wrong.length > 0)
    found.push(`${wrong.length} streams missed an event, or got one twice or of another account.`);
  const broken = readers.flatMap(({ troubles }) => troubles);
  if (broken.length > 0) found.push(`${broken.length} streams broke: ${broken[0]}`);
  if (beside > MAX_SLOWER_MS + MAX_SLOWER_FACTOR * alone)
    found.push(`A call took ${Math.round(beside)} ms beside them, ${Math.round(alone)} ms alone.`);
  const sum = (count: (reader: StreamReader) => number) =>
    readers.reduce((all, reader) => all + count(reader), 0);
  const cells = [
    ...[readers.length, sum(({ heartbeats }) => heartbeats), sum(({ events }) => events.length)],
    ...[alone.toFixed(1), beside.toFixed(1), full],
  ];
  return { cells, found };
}

/** Opens all streams. They reconnect when the server ends them after 25 seconds, so in the end all are open. */
async function openAll(port: number, tenants: Tenant[]): Promise<Reading[]> {
  const slots = tenants.flatMap(({ keys }, tenant) =>
    keys.flatMap(({ api_key, whole }) =>
      Array.from({ length: READERS_PER_KEY }, () => ({ api_key, whole, tenant })),
    ),
  );
  const readings: Reading[] = [];
  while (readings.length < slots.length) {
    const some = slots.slice(readings.length, readings.length + OPEN_BATCH);
    readings.push(
      ...(await Promise.all(
        some.map(async ({ api_key, whole, tenant }) => ({
          ...{ tenant, whole },
          reader: await openReader({ port, api_key, comesBack: true }),
        })),
      )),
    );
  }
  return readings;
}

/** The 99th percentile of sequential calls, in milliseconds. */
async function measureP99(client: Client): Promise<number> {
  const times: number[] = [];
  for (let probe = 0; probe < PROBES; probe++) {
    const began = performance.now();
    await client.me.get();
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(PROBES * 0.99)] ?? Number.NaN;
}

/** Node raises its limit to the hard limit; known on Linux only, elsewhere infinite. */
function readOpenFileLimit(): number {
  const limits = process.platform === "linux" ? readFileSync("/proc/self/limits", "utf8") : "";
  return Number(/^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
}
