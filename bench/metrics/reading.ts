import type { calls as floorCalls } from "../floors/api-floor.ts";
import type { calls as loadCalls } from "../load/http-load.ts";
import { type Store, storeOf } from "../mail/store.ts";
import { rareLabel, rareWord } from "../mail/stored-mail.ts";
import { askFor } from "../measure/ask-for.ts";
import { type Product, startProduct } from "../measure/product.ts";
import { type Program, startProgram } from "../measure/program.ts";
import { alternate, cpuEach, rate, ratio } from "../measure/rounds.ts";
import { quantile, summary } from "../measure/statistics.ts";
import { inTemporaryFolder, withEnds } from "../measure/temporary-folder.ts";
import type { Figure, Metric, Run } from "../metric.ts";

const connections = 8;
/** Stands in about a tenth of all mails. */
const commonWord = "bitte";

interface Opened {
  store: Store;
  product: Product;
  load: Program<typeof loadCalls>;
  headers: Record<string, string>;
}

/** Starts the server on a store. */
async function open(run: Run, mails: number, ends: { push(end: () => unknown): void }): Promise<Opened> {
  const store = await storeOf(mails, run.seed, run.say);
  const load = await startProgram<typeof loadCalls>(new URL("../load/http-load.ts", import.meta.url));
  ends.push(load.end);
  const product = await startProduct(store.folder, { SMTP_PORT: "off" });
  ends.push(product.end);
  return { store, product, load, headers: { authorization: `Bearer ${store.api_key}` } };
}

/** Starts the floor that reads the same tables. */
async function openFloor(
  store: Store,
  ends: { push(end: () => unknown): void },
  folder: string,
): Promise<{ pid: number; base_url: string }> {
  const { api_key, inbox_id, account_id } = store;
  const floor = await startProgram<typeof floorCalls>(new URL("../floors/api-floor.ts", import.meta.url));
  ends.push(floor.end);
  const scope = `_${account_id}_${inbox_id}`;
  const { base_url } = await floor.call("listen", { folder, api_key, data_dir: store.folder, inbox_id, scope });
  return { pid: floor.pid, base_url };
}

/** Pages of messages. */
export const list: Metric = {
  title: "Pages of 25 messages over HTTP",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withEnds(async (ends) => {
        const { store, product, load, headers } = await open(run, run.mails, ends);
        const floor = await openFloor(store, ends, folder);
        const inbox = `/api/v1/inboxes/${store.inbox_id}`;
        const ask = (pid: number, base_url: string, path: string) => (ms: number) =>
          askFor(load, pid, { base_url, method: "GET", paths: [path], headers, connections, ms });
        const rounds = await alternate(
          { ...run, round_ms: run.round_ms / 2 },
          {
            full: ask(product.pid, product.base_url, `${inbox}/messages?limit=25`),
            floor: ask(floor.pid, floor.base_url, "/api/messages?limit=25"),
            summary: ask(product.pid, product.base_url, `${inbox}/messages?limit=25&view=summary`),
          },
        );
        const p99 = (latencies: number[] = []) => quantile(latencies, 0.99);
        return {
          figures: [
            { name: "list: full pages / floor", unit: "×", ...ratio(rounds.full, rounds.floor), target: { at_least: 0.8 } },
            { name: "list: full pages", unit: "/s", ...summary(rounds.full.map(rate)) },
            { name: "list: CPU of a full page", unit: "µs", ...summary(rounds.full.map(cpuEach)) },
            { name: "list: CPU of the floor's", unit: "µs", ...summary(rounds.floor.map(cpuEach)) },
            { name: "list: p99 of a full page", unit: "ms", ...summary(rounds.full.map(({ latencies }) => p99(latencies))) },
            { name: "list: summaries / full", unit: "×", ...ratio(rounds.summary, rounds.full), target: { at_least: 5 } },
          ],
        };
      }),
    ),
};

/** Full-text search. */
export const search: Metric = {
  title: "Full-text search within an inbox over HTTP",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withEnds(async (ends) => {
        const { store, product, load, headers } = await open(run, run.mails, ends);
        const floor = await openFloor(store, ends, folder);
        const at = `/api/v1/inboxes/${store.inbox_id}/messages/search`;
        const ask = (pid: number, base_url: string, path: string) => (ms: number) =>
          askFor(load, pid, { base_url, method: "GET", paths: [path], headers, connections: 1, ms });
        const figures: Figure[] = [];
        for (const [kind, word] of [
          ["rare", rareWord.word],
          ["common", commonWord],
        ] as const) {
          const rounds = await alternate(
            { ...run, round_ms: run.round_ms / 2 },
            {
              product: ask(product.pid, product.base_url, `${at}?q=${word}&limit=25`),
              floor: ask(floor.pid, floor.base_url, `/api/search?q=${word}&limit=25`),
            },
          );
          const p99 = (latencies: number[] = []) => quantile(latencies, 0.99);
          const ratios = rounds.product.map(({ latencies }, index) => p99(latencies) / p99(rounds.floor[index]?.latencies));
          figures.push(
            { name: `search: p99 of a ${kind} word / floor`, unit: "×", ...summary(ratios), target: { at_most: 2 } },
            {
              name: `search: p99 of a ${kind} word`,
              unit: "ms",
              ...summary(rounds.product.map(({ latencies }) => p99(latencies))),
              target: { at_most: 5 },
            },
            { name: `search: CPU of a ${kind} word`, unit: "µs", ...summary(rounds.product.map(cpuEach)) },
          );
        }
        const hits = await countHits(product.base_url, `${at}?q=${rareWord.word}&limit=100`, headers);
        const expected = Math.ceil(store.mails / rareWord.every);
        if (hits !== expected) throw new Error(`the rare word is in ${expected} mails; ${hits} were found`);
        return { figures, notes: [`the rare word was found in all ${expected} mails that hold it, and in no other`] };
      }),
    ),
};

async function countHits(base_url: string, path: string, headers: Record<string, string>): Promise<number> {
  let hits = 0;
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = (await (await fetch(`${base_url}${path}${more}`, { headers })).json()) as {
      data: unknown[];
      next_cursor: string | null;
    };
    hits += answer.data.length;
    cursor = answer.next_cursor;
  } while (cursor !== null);
  return hits;
}

const feedPlaces = 40;
const sizes = [1_000, 10_000, 100_000, 1_000_000];

/** How reading costs grow with what is stored. */
export const growth: Metric = {
  title: "CPU of one operation against stored mail",
  measure: (run) =>
    withEnds(async (ends) => {
      const opened: Opened[] = [];
      for (const mails of sizes.filter((size) => size <= run.mails)) opened.push(await open(run, mails, ends));
      const costs = new Map<string, [number, number][]>();
      for (const [name, pathsOf] of Object.entries(reads)) {
        const contestants = Object.fromEntries(
          await Promise.all(
            opened.map(async ({ store, product, load, headers }) => {
              const paths = await pathsOf(store, product.base_url, headers);
              const ask = (ms: number) =>
                askFor(load, product.pid, { base_url: product.base_url, method: "GET", paths, headers, connections: 4, ms });
              return [store.mails.toLocaleString("en-US"), ask] as const;
            }),
          ),
        );
        run.say(name);
        const rounds = await alternate({ ...run, round_ms: run.round_ms / 4 }, contestants);
        costs.set(
          name,
          opened.map(({ store }) => [
            store.mails,
            summary((rounds[store.mails.toLocaleString("en-US")] ?? []).map(cpuEach)).value,
          ]),
        );
      }
      const figures = [...costs].flatMap(([name, points]): Figure[] => {
        const [first, last] = [points[0], points.at(-1)];
        if (first === undefined || last === undefined) return [];
        const exponent = Math.log(last[1] / first[1]) / Math.log(last[0] / first[0]);
        return [
          {
            name: `growth: exponent of ${name}`,
            unit: "",
            value: exponent,
            target: { at_most: name.startsWith("search") ? 0.2 : 0.05 },
          },
          { name: `growth: CPU of ${name} at ${last[0].toLocaleString("en-US")}`, unit: "µs", value: last[1] },
        ];
      });
      return { figures, curves: [...costs].map(([name, points]) => ({ name, points })) };
    }),
};

type PathsOf = (store: Store, base_url: string, headers: Record<string, string>) => Promise<string[]>;

/** Lists begin with the oldest mail, which is the same in every store; the feed is read all over, so that its mails' sizes even out. */
const reads: Record<string, PathsOf> = {
  list: async ({ inbox_id }) => [`/api/v1/inboxes/${inbox_id}/messages?limit=25&view=summary&order=asc`],
  "label list": async ({ inbox_id }) => [
    `/api/v1/inboxes/${inbox_id}/messages?limit=5&view=summary&order=asc&label=${rareLabel.name}`,
  ],
  get: async ({ inbox_id }, base_url, headers) => {
    const answer = await fetch(`${base_url}/api/v1/inboxes/${inbox_id}/messages?limit=100&view=summary&order=asc`, { headers });
    const { data } = (await answer.json()) as { data: { id: string }[] };
    return data.map(({ id }) => `/api/v1/inboxes/${inbox_id}/messages/${id}`);
  },
  "search, rare": async ({ inbox_id }) => [`/api/v1/inboxes/${inbox_id}/messages/search?q=${rareWord.word}&limit=2`],
  "search, common": async ({ inbox_id }) => [`/api/v1/inboxes/${inbox_id}/messages/search?q=${commonWord}&limit=25`],
  feed: async ({ mails }) =>
    Array.from({ length: feedPlaces }, (_, place) => `/api/v1/events?after=${Math.floor((mails * place) / feedPlaces)}&limit=25`),
};
