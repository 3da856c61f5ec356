import { randomBytes } from "node:crypto";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as floorCalls } from "../floors/postgres-floor.ts";
import type { calls as loadCalls } from "../load/smtp-load.ts";
import { FEW, MANY, planEnvelopes } from "../mail/envelopes.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { measureMail } from "../measure/measure-mail.ts";
import { onboardAll } from "../measure/onboard.ts";
import { createDatabase, withClient } from "../measure/postgres-database.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Outcome, Run } from "../metric.ts";

const DOMAIN = "agents.example.org";
const CONNECTIONS = 16;
/** Mails before the rounds, by which the service's code is compiled. */
const BEFORE = { quick: 200, usual: 5_000 };
/** Longer than any number of mails that is sent by count takes. */
const LONG_MS = 600_000;

/** Receiving mail, compared with one statement per mail. */
export const postgresIngest = (run: Run, server_url: string): Promise<Outcome> =>
  inTemporaryFolder((folder) =>
    withCleanup(async (cleanups) => {
      const url = await createDatabase(server_url);
      const load = await startProgram<typeof loadCalls>("load/smtp-load.ts", cleanups);
      const envelopes = planEnvelopes(run.quick ? FEW : MANY, DOMAIN);
      const zone = await load.call("prepare", {
        bytes: 3_000,
        envelopes,
        seed: run.seed,
        count: envelopes.length,
      });
      const dns = await startDnsServer(zone);
      cleanups.push(dns.close);
      const environment = {
        DNS_SERVER: dns.server,
        MAIL_DOMAIN: DOMAIN,
        DATABASE_URL: url,
        ENCRYPTION_KEY: randomBytes(32).toString("hex"),
      };
      const product = await startProduct(folder, environment);
      cleanups.push(product.end);
      await onboardAll(product.base_url, envelopes);
      const floor = await startProgram<typeof floorCalls>("floors/postgres-floor.ts", cleanups);
      const { port } = await floor.call("listen", { url });
      const before = run.quick ? BEFORE.quick : BEFORE.usual;
      run.log(`${before} mails before the rounds`);
      const send = (pid: number, to: number) => (ms: number, count?: number) =>
        measureMail(load, { pid, port: to, connections: CONNECTIONS }, ms, count);
      const [toProduct, toFloor] = [send(product.pid, product.smtp_port), send(floor.pid, port)];
      let acknowledged = (await toProduct(LONG_MS, before)).done;
      await toFloor(LONG_MS, before);
      const rounds = await alternate(run, {
        product: async (ms) => {
          const round = await toProduct(ms);
          acknowledged += round.done;
          return round;
        },
        floor: (ms) => toFloor(ms),
      });
      const stored = await countMessages(url);
      if (stored !== acknowledged)
        throw new Error(`${acknowledged} mails were acknowledged, ${stored} are stored`);
      return {
        figures: [
          {
            name: "postgres: ingest-3k / floor",
            unit: "×",
            ...ratio(rounds.product, rounds.floor),
            target: { at_least: 0.35 },
          },
          { name: "postgres: ingest-3k", unit: "mails/s", ...summary(rounds.product.map(rate)) },
          { name: "postgres: CPU of Node a mail", unit: "µs", ...summary(rounds.product.map(cpuEach)) },
          { name: "postgres: CPU of Node a mail, floor", unit: "µs", ...summary(rounds.floor.map(cpuEach)) },
        ],
        notes: ["every acknowledged mail was found in the database afterwards"],
      };
    }),
  );

async function countMessages(url: string): Promise<number> {
  const { rows } = await withClient(url, (client) =>
    client.query("select count(*)::int as count from letterslot.messages"),
  );
  return (rows[0] as { count: number }).count;
}
