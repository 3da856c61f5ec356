import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as loadCalls } from "../load/smtp-load.ts";
import { SENDER } from "../mail/envelopes.ts";
import { buildStore, type Store } from "../mail/store.ts";
import { COMMON_WORD, RARE_LABEL, RARE_WORD } from "../mail/stored-mail.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { measureMail } from "../measure/measure-mail.ts";
import { measureRequests } from "../measure/measure-requests.ts";
import { type Opened, openStore } from "../measure/opened-store.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, type Round } from "../measure/rounds.ts";
import { median } from "../measure/statistics.ts";
import { copyStore } from "../measure/store-copy.ts";
import type { Curve, Figure, Metric, Run } from "../metric.ts";

const FEED_POSITIONS = 40;
/** The sizes of the stores that are compared. */
export const SIZES = [1_000, 10_000, 100_000, 1_000_000];
export const INGEST_CONNECTIONS = 8;

/** Measures the growth of costs with the amount of stored mail. */
export const growth: Metric = {
  title: "CPU of one operation against stored mail",
  async measure(run) {
    const curves = [await ingestCurve(run), ...(await readCurves(run))];
    return { figures: curves.flatMap((curve) => createFigures(curve)), curves };
  },
};

/** Receives mail into copies of stores of different sizes. */
function ingestCurve(run: Run): Promise<Curve> {
  return inTemporaryFolder((folder) =>
    withCleanup(async (cleanups) => {
      const load = await startProgram<typeof loadCalls>("load/smtp-load.ts", cleanups);
      const zone = await load.call("prepare", {
        bytes: 3_000,
        envelopes: [{ from: SENDER, to: "agent@agents.example.org" }],
        seed: run.seed,
        count: 256,
      });
      const dns = await startDnsServer(zone);
      cleanups.push(dns.close);
      const environment = { DNS_SERVER: dns.server, MAIL_DOMAIN: "agents.example.org" };
      const contestants: Contestants = new Map();
      for (const mails of SIZES.filter((size) => size <= run.mails)) {
        const copy = copyStore(await buildStore(mails, run.seed, run.log), folder);
        const product = await startProduct(copy.folder, environment);
        cleanups.push(product.end);
        const target = { pid: product.pid, port: product.smtp_port, connections: INGEST_CONNECTIONS };
        contestants.set(mails, (ms) => measureMail(load, target, ms));
      }
      return measureCost({ ...run, round_ms: run.round_ms / 2 }, "ingest", contestants);
    }),
  );
}

function readCurves(run: Run): Promise<Curve[]> {
  return withCleanup(async (cleanups) => {
    const opened: Opened[] = [];
    for (const mails of SIZES.filter((size) => size <= run.mails))
      opened.push(await openStore(run, mails, cleanups));
    const curves: Curve[] = [];
    for (const [name, pathsOf] of Object.entries(READS)) {
      const contestants: Contestants = new Map();
      for (const { store, product, load, headers } of opened) {
        const paths = await pathsOf(store, product.base_url, headers);
        const request = {
          base_url: product.base_url,
          method: "GET",
          paths,
          headers,
          connections: 4,
        } as const;
        contestants.set(store.mails, (ms) => measureRequests(load, product.pid, { ...request, ms }));
      }
      curves.push(await measureCost({ ...run, round_ms: run.round_ms / 4 }, name, contestants));
    }
    return curves;
  });
}

/** The same work with different numbers of stored mails. */
export type Contestants = Map<number, (ms: number) => Promise<Round>>;

/** Measures the CPU of one operation with each number of stored mails. */
export async function measureCost(run: Run, name: string, contestants: Contestants): Promise<Curve> {
  run.log(name);
  const rounds = await alternate(run, Object.fromEntries(contestants));
  return {
    name,
    points: [...contestants.keys()].map(
      (mails) => [mails, median((rounds[mails] ?? []).map(cpuEach))] as const,
    ),
  };
}

/** The exponent of a curve between its ends, and the cost at its last. */
export function createFigures({ name, points }: Curve, metric = "growth"): Figure[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  const exponent = Math.log(last[1] / first[1]) / Math.log(last[0] / first[0]);
  const at_most = name.startsWith("search") ? 0.2 : 0.05;
  return [
    { name: `${metric}: exponent of ${name}`, unit: "", value: exponent, target: { at_most } },
    { name: `${metric}: CPU of ${name} at ${last[0].toLocaleString("en-US")}`, unit: "µs", value: last[1] },
  ];
}

type PathsOf = (
  store: Pick<Store, "inbox_id" | "mails">,
  base_url: string,
  headers: Record<string, string>,
) => Promise<string[]>;

/**
 * Lists start at the oldest mail, which is the same in every store; the feed is read at evenly spread
 * positions, so that mail sizes average out.
 */
export const READS: Record<string, PathsOf> = {
  list: async ({ inbox_id }) => [`/api/v1/inboxes/${inbox_id}/messages?limit=25&view=summary&order=asc`],
  "label list": async ({ inbox_id }) => [
    `/api/v1/inboxes/${inbox_id}/messages?limit=5&view=summary&order=asc&label=${RARE_LABEL.name}`,
  ],
  get: async ({ inbox_id }, base_url, headers) => {
    const answer = await fetch(
      `${base_url}/api/v1/inboxes/${inbox_id}/messages?limit=100&view=summary&order=asc`,
      { headers },
    );
    const { data } = (await answer.json()) as { data: { id: string }[] };
    return data.map(({ id }) => `/api/v1/inboxes/${inbox_id}/messages/${id}`);
  },
  "search, rare": async ({ inbox_id }) => [
    `/api/v1/inboxes/${inbox_id}/messages/search?q=${RARE_WORD.word}&limit=2`,
  ],
  "search, common": async ({ inbox_id }) => [
    `/api/v1/inboxes/${inbox_id}/messages/search?q=${COMMON_WORD}&limit=25`,
  ],
  feed: async ({ mails }) =>
    Array.from(
      { length: FEED_POSITIONS },
      (_, place) => `/api/v1/events?after=${Math.floor((mails * place) / FEED_POSITIONS)}&limit=25`,
    ),
};
