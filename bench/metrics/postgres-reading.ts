import { randomBytes } from "node:crypto";
import type { calls as floorCalls } from "../floors/postgres-api-floor.ts";
import type { calls as loadCalls } from "../load/http-load.ts";
import { openPostgresStores } from "../mail/postgres-stores.ts";
import { buildPostgresStore } from "../mail/store.ts";
import { COMMON_WORD, RARE_WORD } from "../mail/stored-mail.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { measureRequests } from "../measure/measure-requests.ts";
import { createDatabase, dropDatabase } from "../measure/postgres-database.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, p99, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Figure, Outcome, Run } from "../metric.ts";

const CONNECTIONS = 16;
/** Mails that were stored long before the searches, and those stored right before them, at most. */
const MAILS = { quick: { old: 1_000, fresh: 500 }, usual: { old: 100_000, fresh: 5_000 } };
const SEARCHES = [
  ["search, rare", RARE_WORD.word],
  ["search, common", COMMON_WORD],
] as const;

/** Lists and searches, compared with one statement each. */
export const postgresReading = (run: Run): Promise<Outcome> =>
  inTemporaryFolder((folder) =>
    withCleanup(async (cleanups) => {
      const { old, fresh } = run.quick ? MAILS.quick : MAILS.usual;
      const { url, stores } = await openPostgresStores([old], run, cleanups);
      const [store] = stores;
      if (store === undefined) throw new Error("there is no store");
      const { api_key, inbox_id, account_id } = store;
      const database_url = await createDatabase(url, store.name);
      cleanups.push(() => dropDatabase(database_url));
      const load = await startProgram<typeof loadCalls>("load/http-load.ts", cleanups);
      const environment = {
        DATABASE_URL: database_url,
        ENCRYPTION_KEY: randomBytes(32).toString("hex"),
        SMTP_PORT: "off",
      };
      const product = await startProduct(folder, environment);
      cleanups.push(product.end);
      const headers = { authorization: `Bearer ${api_key}` };
      const inbox = `/api/v1/inboxes/${inbox_id}/messages`;
      const ask =
        (pid: number, base_url: string, path: string, connections = CONNECTIONS) =>
        (ms: number) =>
          measureRequests(load, pid, { base_url, method: "GET", paths: [path], headers, connections, ms });
      const figures: Figure[] = [];

      // The server's code is compiled before the mails come, and the figures are taken before anything is vacuumed.
      for (const [, word] of SEARCHES)
        await ask(product.pid, product.base_url, `${inbox}/search?q=${word}&limit=25`, 1)(run.round_ms / 2);
      await buildPostgresStore(database_url, old + fresh, { seed: run.seed, log: run.log, account: store });
      for (const [name, word] of SEARCHES) {
        const path = `${inbox}/search?q=${word}&limit=25`;
        const round = await ask(product.pid, product.base_url, path, 1)(run.round_ms / 2);
        figures.push({
          name: `postgres: p99 of ${name}, right after ${fresh.toLocaleString("en-US")} mails`,
          unit: "ms",
          value: p99(round),
          target: { at_most: 5 },
        });
      }

      const floor = await startProgram<typeof floorCalls>("floors/postgres-api-floor.ts", cleanups);
      const { base_url } = await floor.call("listen", {
        database_url,
        api_key,
        account_id,
        inbox_id,
        scope: `_${account_id}_${inbox_id}`,
      });
      for (const [name, path, floorPath] of [
        ["list", `${inbox}?limit=25`, "/api/messages?limit=25"],
        ...SEARCHES.map(
          ([kind, word]) =>
            [kind, `${inbox}/search?q=${word}&limit=25`, `/api/search?q=${word}&limit=25`] as const,
        ),
      ] as const) {
        const rounds = await alternate(
          { ...run, round_ms: run.round_ms / 2 },
          { product: ask(product.pid, product.base_url, path), floor: ask(floor.pid, base_url, floorPath) },
        );
        figures.push(
          {
            name: `postgres: ${name} / floor`,
            unit: "×",
            ...ratio(rounds.product, rounds.floor),
            target: { at_least: 0.6 },
          },
          { name: `postgres: ${name}`, unit: "/s", ...summary(rounds.product.map(rate)) },
          { name: `postgres: CPU of Node, ${name}`, unit: "µs", ...summary(rounds.product.map(cpuEach)) },
          {
            name: `postgres: p99 of ${name}`,
            unit: "ms",
            ...summary(rounds.product.map(p99)),
          },
        );
      }
      return {
        figures,
        notes: [`lists and searches on PostgreSQL among ${(old + fresh).toLocaleString("en-US")} mails`],
      };
    }),
  );
