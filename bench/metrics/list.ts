import { askFor } from "../measure/ask-for.ts";
import { openFloor, openStore } from "../measure/opened-store.ts";
import { alternate, cpuEach, rate, ratio } from "../measure/rounds.ts";
import { quantile, summary } from "../measure/statistics.ts";
import { inTemporaryFolder, withEnds } from "../measure/temporary-folder.ts";
import type { Metric } from "../metric.ts";

const connections = 8;

/** Pages of messages. */
export const list: Metric = {
  title: "Pages of 25 messages over HTTP",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withEnds(async (ends) => {
        const { store, product, load, headers } = await openStore(run, run.mails, ends);
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
              ...summary(rounds.full.map(({ latencies }) => p99(latencies))),
            },
            {
              name: "list: summaries / full",
              unit: "×",
              ...ratio(rounds.summary, rounds.full),
              target: { at_least: 5 },
            },
          ],
        };
      }),
    ),
};
