import type { Store } from "../mail/store.ts";
import { commonWord, rareLabel, rareWord } from "../mail/stored-mail.ts";
import { askFor } from "../measure/ask-for.ts";
import { type Opened, openStore } from "../measure/opened-store.ts";
import { alternate, cpuEach } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import { withEnds } from "../measure/temporary-folder.ts";
import type { Figure, Metric } from "../metric.ts";

const feedPlaces = 40;
const sizes = [1_000, 10_000, 100_000, 1_000_000];

/** How reading costs grow with what is stored. */
export const growth: Metric = {
  title: "CPU of one operation against stored mail",
  measure: (run) =>
    withEnds(async (ends) => {
      const opened: Opened[] = [];
      for (const mails of sizes.filter((size) => size <= run.mails)) opened.push(await openStore(run, mails, ends));
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
