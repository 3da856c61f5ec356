import { randomBytes } from "node:crypto";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as httpCalls } from "../load/http-load.ts";
import type { calls as smtpCalls } from "../load/smtp-load.ts";
import { SENDER } from "../mail/envelopes.ts";
import { openPostgresStores, type PostgresStores } from "../mail/postgres-stores.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { measureMail } from "../measure/measure-mail.ts";
import { measureRequests } from "../measure/measure-requests.ts";
import { createDatabase, databaseUrl, dropDatabase } from "../measure/postgres-database.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import type { Curve, Metric, Run } from "../metric.ts";
import { type Contestants, createFigures, INGEST_CONNECTIONS, measureCost, READS, SIZES } from "./growth.ts";

const DOMAIN = "agents.example.org";
const READ_CONNECTIONS = 4;

/** Measures the growth of costs with stored mail on PostgreSQL. The CPU time includes the database's processes. */
export const postgresGrowth: Metric = {
  title: "CPU of one operation against stored mail, on PostgreSQL, with that of its server",
  measure: (run) =>
    withCleanup(async (cleanups) => {
      const sizes = SIZES.filter((size) => size <= run.mails);
      const server = await openPostgresStores(sizes, run, cleanups);
      const curves = [await ingestCurve(run, server), ...(await readCurves(run, server))];
      return { figures: curves.flatMap((curve) => createFigures(curve, "growth on PostgreSQL")) };
    }),
};

/** Receives mail into copies of the stores. */
const ingestCurve = (run: Run, server: PostgresStores): Promise<Curve> =>
  inTemporaryFolder((folder) =>
    withCleanup(async (cleanups) => {
      const load = await startProgram<typeof smtpCalls>("load/smtp-load.ts", cleanups);
      const envelopes = [{ from: SENDER, to: `agent@${DOMAIN}` }];
      const zone = await load.call("prepare", { bytes: 3_000, envelopes, seed: run.seed, count: 256 });
      const dns = await startDnsServer(zone);
      cleanups.push(dns.close);
      const contestants: Contestants = new Map();
      for (const store of server.stores) {
        const copy = await createDatabase(server.url, store.name);
        cleanups.push(() => dropDatabase(copy));
        const environment = { DNS_SERVER: dns.server, MAIL_DOMAIN: DOMAIN, ...settingsOf(copy) };
        const product = await startProduct(`${folder}/${store.mails}`, environment);
        cleanups.push(product.end);
        const target = {
          pid: [product.pid, server.pid],
          port: product.smtp_port,
          connections: INGEST_CONNECTIONS,
        };
        contestants.set(store.mails, (ms) => measureMail(load, target, ms));
      }
      return measureCost({ ...run, round_ms: run.round_ms / 2 }, "ingest", contestants);
    }),
  );

const readCurves = (run: Run, server: PostgresStores): Promise<Curve[]> =>
  inTemporaryFolder((folder) =>
    withCleanup(async (cleanups) => {
      const load = await startProgram<typeof httpCalls>("load/http-load.ts", cleanups);
      const opened = [];
      for (const store of server.stores) {
        const environment = { SMTP_PORT: "off", ...settingsOf(databaseUrl(server.url, store.name)) };
        const product = await startProduct(`${folder}/${store.mails}`, environment);
        cleanups.push(product.end);
        opened.push({ store, product, headers: { authorization: `Bearer ${store.api_key}` } });
      }
      const curves: Curve[] = [];
      for (const [name, pathsOf] of Object.entries(READS)) {
        const contestants: Contestants = new Map();
        for (const { store, product, headers } of opened) {
          const { base_url } = product;
          const paths = await pathsOf(store, base_url, headers);
          const request = { base_url, method: "GET", paths, headers, connections: READ_CONNECTIONS } as const;
          const pids = [product.pid, server.pid];
          contestants.set(store.mails, (ms) => measureRequests(load, pids, { ...request, ms }));
        }
        curves.push(await measureCost({ ...run, round_ms: run.round_ms / 4 }, name, contestants));
      }
      return curves;
    }),
  );

const settingsOf = (DATABASE_URL: string) => ({
  DATABASE_URL,
  ENCRYPTION_KEY: randomBytes(32).toString("hex"),
});
