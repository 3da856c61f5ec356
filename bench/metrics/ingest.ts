import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as floorCalls } from "../floors/ingest-floor.ts";
import type { calls as loadCalls } from "../load/smtp-load.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { startMailpit } from "../measure/mailpit.ts";
import { measureMail } from "../measure/measure-mail.ts";
import { onboard } from "../measure/onboard.ts";
import { readResidentMb } from "../measure/process-cost.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, p99, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import { countStoredMessages } from "../measure/stored-messages.ts";
import type { Figure, Metric, Run } from "../metric.ts";

const CONNECTIONS = 32;
const DOMAIN = "agents.example.org";

/** Mail of 3 KB over SMTP. */
export const ingest3k: Metric = {
  title: "Receiving 3 KB mail over SMTP, 32 connections",
  measure: (run) => measureIngest(run, { name: "ingest-3k", bytes: 3_000, least: 0.75, cpu: 900 }),
};

/** Mail of 100 KB over SMTP. */
export const ingest100k: Metric = {
  title: "Receiving 100 KB mail over SMTP, 32 connections",
  measure: (run) => measureIngest(run, { name: "ingest-100k", bytes: 100_000, least: 0.85 }),
};

function measureIngest(run: Run, mail: { name: string; bytes: number; least: number; cpu?: number }) {
  return inTemporaryFolder((folder) =>
    withCleanup(async (cleanups) => {
      const load = await startProgram<typeof loadCalls>("load/smtp-load.ts", cleanups);
      const to = `agent@${DOMAIN}`;
      const zone = await load.call("prepare", {
        bytes: mail.bytes,
        to,
        seed: run.seed,
        count: mail.bytes > 50_000 ? 32 : 256,
      });
      const dns = await startDnsServer(zone);
      cleanups.push(dns.close);
      const product = await startProduct(folder, { DNS_SERVER: dns.server, MAIL_DOMAIN: DOMAIN });
      cleanups.push(product.end);
      const floor = await startProgram<typeof floorCalls>("floors/ingest-floor.ts", cleanups);
      const { port } = await floor.call("listen", { folder });
      await onboard(product.base_url);

      const mailpit = await startMailpit(folder);
      if (mailpit !== undefined) cleanups.push(mailpit.end);

      let acknowledged = 0;
      let received = 0;
      const rounds = await alternate(run, {
        product: async (ms) => {
          const round = await measureMail(
            load,
            { pid: product.pid, port: product.smtp_port, connections: CONNECTIONS },
            ms,
          );
          acknowledged += round.done;
          received += round.bytes;
          return round;
        },
        floor: (ms) => measureMail(load, { pid: floor.pid, port, connections: CONNECTIONS }, ms),
        ...(mailpit === undefined
          ? {}
          : { mailpit: (ms: number) => measureMail(load, { ...mailpit, connections: CONNECTIONS }, ms) }),
      });
      const resident = readResidentMb(product.pid);
      const found = countStoredMessages(folder);
      if (found !== acknowledged)
        throw new Error(`${mail.name}: ${acknowledged} mails were acknowledged, ${found} are stored`);
      const { name } = mail;
      const all: Figure[] = [
        {
          name: `${name}: product / floor`,
          unit: "×",
          ...ratio(rounds.product, rounds.floor),
          target: { at_least: mail.least },
        },
        { name: `${name}: product`, unit: "mails/s", ...summary(rounds.product.map(rate)) },
        { name: `${name}: floor`, unit: "mails/s", ...summary(rounds.floor.map(rate)) },
        {
          name: `${name}: CPU a mail`,
          unit: "µs",
          ...summary(rounds.product.map(cpuEach)),
          ...(mail.cpu === undefined ? {} : { target: { at_most: mail.cpu } }),
        },
        { name: `${name}: CPU a mail, floor`, unit: "µs", ...summary(rounds.floor.map(cpuEach)) },
        {
          name: `${name}: p99`,
          unit: "ms",
          ...summary(rounds.product.map(p99)),
        },
        {
          name: `${name}: disk bytes per received byte`,
          unit: "×",
          value: measureDisk(folder) / received,
          target: { at_most: 2 },
        },
      ];
      if (rounds.mailpit !== undefined)
        all.push({
          name: `${name}: product / Mailpit`,
          unit: "×",
          ...ratio(rounds.product, rounds.mailpit),
          target: { at_least: 1 },
        });
      if (resident !== undefined)
        all.push({
          name: `${name}: resident memory after it`,
          unit: "MB",
          value: resident,
          target: { at_most: 450 },
        });
      const peer =
        mailpit === undefined
          ? "Mailpit is not on the PATH: not compared"
          : "Mailpit acknowledges what it has not synced";
      return {
        figures: all,
        notes: [`${mail.name}: every acknowledged mail was found in the database afterwards`, peer],
      };
    }),
  );
}

/** The size of the database and blobs, without the write-ahead log, whose size is bounded. */
function measureDisk(folder: string): number {
  const files = ["letterslot.db", ...globSync("blobs/**/*", { cwd: folder })];
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}
