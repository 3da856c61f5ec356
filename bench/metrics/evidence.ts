import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as loadCalls } from "../load/smtp-load.ts";
import { FEW, MANY, planEnvelopes } from "../mail/envelopes.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { measureMail } from "../measure/measure-mail.ts";
import { onboardAll } from "../measure/onboard.ts";
import { createDatabase, startDurablePostgres } from "../measure/postgres-database.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Figure, Metric, Run } from "../metric.ts";

const DOMAIN = "agents.example.org";
const CONNECTIONS = 32;
const BYTES = 3_000;
/** Longer than any number of mails that is sent by count takes. */
const LONG_MS = 600_000;
const MAILS = { quick: { round: 200, before: 200 }, usual: { round: 2_000, before: 10_000 } };
/** An inbox that looks at nothing that it sends, and whose mail is no evidence of anything. */
const OFF = { untrusted: "off", content: "off", new_recipients: "off" } as const;

/** What noting the evidence of each mail costs. */
export const evidence: Metric = {
  title:
    "Receiving 3 KB mail over SMTP where its words are noted as evidence, beside the same where they aren't",
  measure: (run) =>
    withCleanup(async (cleanups) => {
      const server = await startDurablePostgres();
      cleanups.push(server.end);
      const urls = [await createDatabase(server.url), await createDatabase(server.url)];
      return {
        figures: [...(await compare(run, "SQLite", [])), ...(await compare(run, "PostgreSQL", urls))],
      };
    }),
};

/** Compares two services on storages of their own: one notes, as a new inbox does, the other doesn't. */
const compare = (run: Run, storage: string, urls: readonly string[]): Promise<Figure[]> =>
  inTemporaryFolder((folder) =>
    withCleanup(async (cleanups) => {
      const load = await startProgram<typeof loadCalls>("load/smtp-load.ts", cleanups);
      const envelopes = planEnvelopes(run.quick ? FEW : MANY, DOMAIN);
      const count = envelopes.length;
      const zone = await load.call("prepare", { bytes: BYTES, envelopes, seed: run.seed, count });
      const dns = await startDnsServer(zone);
      cleanups.push(dns.close);
      const start = async (name: string, url: string | undefined) => {
        const key = randomBytes(32).toString("hex");
        const product = await startProduct(join(folder, name), {
          ...{ DNS_SERVER: dns.server, MAIL_DOMAIN: DOMAIN },
          ...(url === undefined ? {} : { DATABASE_URL: url, ENCRYPTION_KEY: key }),
        });
        cleanups.push(product.end);
        const accounts = await onboardAll(product.base_url, envelopes);
        if (name === "off")
          for (const { client } of accounts)
            for (const { id } of (await client.inboxes.list({ limit: 100 })).data)
              await client.inboxes.update({ inbox_id: id, outbound: OFF });
        return (ms: number, mails: number) =>
          measureMail(
            load,
            { pid: product.pid, port: product.smtp_port, connections: CONNECTIONS },
            ms,
            mails,
          );
      };
      const [on, off] = [await start("on", urls[0]), await start("off", urls[1])];
      const { round, before } = run.quick ? MAILS.quick : MAILS.usual;
      run.log(`${storage}: ${before} mails each before the rounds`);
      for (const send of [on, off]) await send(LONG_MS, before);
      const rounds = await alternate(run, {
        on: () => on(LONG_MS, round),
        off: () => off(LONG_MS, round),
      });
      const name = `evidence on ${storage}`;
      return [
        { name: `${name}: CPU a mail, noted`, unit: "µs", ...summary(rounds.on.map(cpuEach)) },
        { name: `${name}: CPU a mail, not noted`, unit: "µs", ...summary(rounds.off.map(cpuEach)) },
        {
          name: `${name}: CPU noted / not noted`,
          unit: "×",
          ...ratio(rounds.on, rounds.off, cpuEach),
          target: { at_most: 1.05 },
        },
      ];
    }),
  );
