import { readFileSync } from "node:fs";
import { type Client, createClient } from "@letterslot/client";
import { type Footprint, footprintOf, growthIn } from "../test/support/footprint.ts";
import { heapInUse, tellsItsHeap } from "../test/support/heap-in-use.ts";
import { type ServerProcess, serverHome } from "../test/support/server-process.ts";
import { openReader, type StreamReader } from "../test/support/stream-reader.ts";
import { until } from "../test/support/until.ts";
import { duration } from "./terminal.ts";

/** As many as one address may open in an hour, nearly. */
const accounts = 25;
/** Of each account: with its own key, and with one of its second inbox alone. */
const readersPerKey = 200;
const openedAtOnce = 100;
const rounds = 4;
const probes = 500;
/**
 * What an API call may take longer beside them than alone, and how many times as long: a busy machine is not
 * what is tried here.
 */
const slowerByMs = 250;
const slowerTimes = 5;
const patienceMs = 120_000;
/** What a process may have open besides its streams. */
const otherFiles = 200;
const columns = [
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
 * Opens 10,000 idle streams of many accounts on a real server, round after round, and answers what is wrong:
 * a stream without a heartbeat, an event that is missing, doubled or another account's, calls that become
 * slow, and what doesn't come back at rest.
 */
export async function soakStreams(): Promise<string[]> {
  const streams = accounts * 2 * readersPerKey;
  const files = openFilesAllowed();
  if (files < streams + otherFiles)
    return [`A process may open ${files} files: raise that (ulimit -n) for ${streams} streams.`];
  const home = await serverHome({ SMTP_PORT: "off", NODE_OPTIONS: tellsItsHeap });
  let server: ServerProcess | undefined;
  try {
    server = await home.start();
    const { pid } = server;
    return await soak(home.base_url, server, () => footprintOf(pid, home.data_dir));
  } finally {
    await server?.end("SIGTERM");
    home.remove();
  }
}

async function soak(base_url: string, server: ServerProcess, look: () => Footprint): Promise<string[]> {
  const began = performance.now();
  const tenants: Tenant[] = [];
  for (let number = 0; number < accounts; number++) tenants.push(await tenantOn(base_url, number));
  const rests: Footprint[] = [];
  const troubles: string[] = [];
  console.log(columns.map((column) => column.padStart(10)).join(" "));
  for (let round = 1; round <= rounds; round++) {
    const { cells, found } = await oneRound(Number(new URL(base_url).port), tenants, round, look);
    troubles.push(...found.map((trouble) => `Round ${round}: ${trouble}`));
    // What is resident is up to the collector, which sees no need here; what is in use is the service's.
    const rest = { ...look(), rss_mb: await heapInUse(server) };
    rests.push(rest);
    console.log(
      [round, ...cells, rest.rss_mb, rest.handles].map((cell) => String(cell).padStart(10)).join(" "),
    );
  }
  console.log(`  ${rounds} rounds in ${duration(performance.now() - began)}`);
  return [...troubles, ...growthIn(rests)];
}

async function tenantOn(base_url: string, number: number): Promise<Tenant> {
  const { api_key, inbox } = await createClient({ base_url }).accounts.onboard({
    username: `agent${number}`,
  });
  const client = createClient({ base_url, api_key, timeout_ms: patienceMs });
  const second = await client.inboxes.create({ username: `second${number}` });
  const scoped = await client.keys.createForInbox({ inbox_id: second.id, name: "scoped" });
  const keys = [
    { api_key, whole: true },
    { api_key: scoped.api_key, whole: false },
  ];
  return { client, keys, inbox_ids: [inbox.id, second.id] };
}

async function oneRound(port: number, tenants: Tenant[], round: number, look: () => Footprint) {
  const [{ client: anybody } = { client: undefined }] = tenants;
  if (anybody === undefined) throw new Error("there is no account");
  const before = look();
  const alone = await p99Of(anybody);
  const readings = await openAll(port, tenants);
  const beside = await p99Of(anybody);
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
    until(what, isSo, patienceMs).catch((error: Error) => void found.push(error.message));
  await wait("a heartbeat of every stream", () => readers.every(({ heartbeats }) => heartbeats > 0));
  await wait("the last event at every stream", () =>
    readers.every(({ events }) => events.some(({ subject }) => subject.endsWith(last))),
  );
  const full = look().rss_mb;
  for (const reader of readers) reader.hangUp();
  await wait("the connections to be gone", () => look().handles <= before.handles + tenants.length);

  const mistaken = readings.filter(({ reader, tenant, whole }) => {
    const own = [...(whole ? [`${tenant}: first, round ${round}`] : []), `${tenant}: ${last}`];
    return reader.events.map(({ subject }) => subject).join() !== own.join();
  });
  if (mistaken.length > 0)
    found.push(`${mistaken.length} streams missed an event, or had one twice or of somebody else.`);
  const broken = readers.flatMap(({ troubles }) => troubles);
  if (broken.length > 0) found.push(`${broken.length} streams broke: ${broken[0]}`);
  if (beside > slowerByMs + slowerTimes * alone)
    found.push(`A call took ${Math.round(beside)} ms beside them, ${Math.round(alone)} ms alone.`);
  const sum = (count: (reader: StreamReader) => number) =>
    readers.reduce((all, reader) => all + count(reader), 0);
  const cells = [
    ...[readers.length, sum(({ heartbeats }) => heartbeats), sum(({ events }) => events.length)],
    ...[alone.toFixed(1), beside.toFixed(1), full],
  ];
  return { cells, found };
}

/**
 * They come back when the server ends their streams after 25 seconds: however long it takes, in the end all
 * are open at once.
 */
async function openAll(port: number, tenants: Tenant[]): Promise<Reading[]> {
  const places = tenants.flatMap(({ keys }, tenant) =>
    keys.flatMap(({ api_key, whole }) =>
      Array.from({ length: readersPerKey }, () => ({ api_key, whole, tenant })),
    ),
  );
  const readings: Reading[] = [];
  while (readings.length < places.length) {
    const some = places.slice(readings.length, readings.length + openedAtOnce);
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

/** Of calls one after the other, in milliseconds. */
async function p99Of(client: Client): Promise<number> {
  const times: number[] = [];
  for (let probe = 0; probe < probes; probe++) {
    const began = performance.now();
    await client.me.get();
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(probes * 0.99)] ?? Number.NaN;
}

/** Node takes all that the system lets it have; Linux only, anywhere else nothing is known of a limit. */
function openFilesAllowed(): number {
  const limits = process.platform === "linux" ? readFileSync("/proc/self/limits", "utf8") : "";
  return Number(/^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
}
