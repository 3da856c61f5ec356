import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { measureRequests } from "../measure/measure-requests.ts";
import { type Opened, openFloor, openStore } from "../measure/opened-store.ts";
import { alternate, cpuEach, p99, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Metric } from "../metric.ts";

const CONNECTIONS = 8;
/** The store with which the largest is compared. */
const FEW_MAILS = 1_000;

/** Pages of messages. */
export const list: Metric = {
  title: "Pages of 25 messages over HTTP",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withCleanup(async (cleanups) => {
        const large = await openStore(run, run.mails, cleanups);
        const { store, product, load, headers } = large;
        const floor = await openFloor(store, cleanups, folder);
        const inbox = `/api/v1/inboxes/${store.inbox_id}`;
        const ask = (pid: number, base_url: string, path: string) => (ms: number) =>
          measureRequests(load, pid, {
            base_url,
            method: "GET",
            paths: [path],
            headers,
            connections: CONNECTIONS,
            ms,
          });
        const rounds = await alternate(
          { ...run, round_ms: run.round_ms / 2 },
          {
            full: ask(product.pid, product.base_url, `${inbox}/messages?limit=25`),
            floor: ask(floor.pid, floor.base_url, "/api/messages?limit=25"),
            summary: ask(product.pid, product.base_url, `${inbox}/messages?limit=25&view=summary`),
          },
        );
        const small = await openStore(run, FEW_MAILS, cleanups);
        // The same page, the oldest, in both: what differs is the number of mails beside it.
        const askOldest =
          ({ store: { inbox_id }, product: { pid, base_url }, ...opened }: Opened) =>
          (ms: number) =>
            measureRequests(opened.load, pid, {
              base_url,
              method: "GET",
              paths: [`/api/v1/inboxes/${inbox_id}/messages?limit=25&order=asc`],
              headers: opened.headers,
              connections: 1,
              ms,
            });
        const sizes = await alternate(
          { ...run, round_ms: run.round_ms / 2 },
          { many: askOldest(large), few: askOldest(small) },
        );
        return {
          figures: [
            {
              name: "list: full pages / floor",
              unit: "×",
              ...ratio(rounds.full, rounds.floor),
              target: { at_least: 0.8 },
            },
            { name: "list: full pages", unit: "/s", ...summary(rounds.full.map(rate)) },
            { name: "list: CPU of a full page", unit: "µs", ...summary(rounds.full.map(cpuEach)) },
            { name: "list: CPU of the floor's", unit: "µs", ...summary(rounds.floor.map(cpuEach)) },
            {
              name: "list: p99 of a full page",
              unit: "ms",
              ...summary(rounds.full.map(p99)),
            },
            {
              name: `list: p99 at ${run.mails.toLocaleString("en-US")} / at ${FEW_MAILS.toLocaleString("en-US")}`,
              unit: "×",
              ...summary(sizes.many.map((round, index) => p99(round) / p99(sizes.few[index]))),
              target: { at_most: 1.3 },
            },
            { name: "list: summaries / full", unit: "×", ...ratio(rounds.summary, rounds.full) },
          ],
        };
      }),
    ),
};
