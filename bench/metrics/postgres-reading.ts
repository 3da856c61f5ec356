import { randomBytes } from "node:crypto";
import type { calls as floorCalls } from "../floors/postgres-api-floor.ts";
import type { calls as loadCalls } from "../load/http-load.ts";
import { buildPostgresStore } from "../mail/store.ts";
import { COMMON_WORD, RARE_WORD } from "../mail/stored-mail.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { measureRequests } from "../measure/measure-requests.ts";
import { createDatabase } from "../measure/postgres-database.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, p99, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Figure, Outcome, Run } from "../metric.ts";

/** Few, because the store is rebuilt for each run. */
const MAILS = 5_000;
const CONNECTIONS = 16;

/** Lists and searches, compared with one statement each. */
export const postgresReading = (run: Run, server_url: string): Promise<Outcome> =>
  inTemporaryFolder((folder) =>
    withCleanup(async (cleanups) => {
      const database_url = await createDatabase(server_url);
      const { api_key, inbox_id, account_id } = await buildPostgresStore(
        database_url,
        MAILS,
        run.seed,
        run.log,
      );
      const load = await startProgram<typeof loadCalls>("load/http-load.ts", cleanups);
      const environment = {
        DATABASE_URL: database_url,
        ENCRYPTION_KEY: randomBytes(32).toString("hex"),
        SMTP_PORT: "off",
      };
      const product = await startProduct(folder, environment);
      cleanups.push(product.end);
      const floor = await startProgram<typeof floorCalls>("floors/postgres-api-floor.ts", cleanups);
      const { base_url } = await floor.call("listen", {
        database_url,
        api_key,
        account_id,
        inbox_id,
        scope: `_${account_id}_${inbox_id}`,
      });
      const headers = { authorization: `Bearer ${api_key}` };
      const ask = (pid: number, url: string, path: string) => (ms: number) =>
        measureRequests(load, pid, {
          base_url: url,
          method: "GET",
          paths: [path],
          headers,
          connections: CONNECTIONS,
          ms,
        });
      const inbox = `/api/v1/inboxes/${inbox_id}/messages`;
      const figures: Figure[] = [];
      for (const [name, path, floorPath] of [
        ["list", `${inbox}?limit=25`, "/api/messages?limit=25"],
        [
          "search, rare",
          `${inbox}/search?q=${RARE_WORD.word}&limit=25`,
          `/api/search?q=${RARE_WORD.word}&limit=25`,
        ],
        [
          "search, common",
          `${inbox}/search?q=${COMMON_WORD}&limit=25`,
          `/api/search?q=${COMMON_WORD}&limit=25`,
        ],
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
      return { figures, notes: [`lists and searches on PostgreSQL among ${MAILS} mails`] };
    }),
  );
