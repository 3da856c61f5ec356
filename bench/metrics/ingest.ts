import { globSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as floorCalls } from "../floors/ingest-floor.ts";
import type { calls as loadCalls } from "../load/smtp-load.ts";
import { FEW, MANY, planEnvelopes } from "../mail/envelopes.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { startMailpit } from "../measure/mailpit.ts";
import { measureMail } from "../measure/measure-mail.ts";
import { onboardAll } from "../measure/onboard.ts";
import { readAnonymousMb, readResidentMb, readTreeWrites } from "../measure/process-cost.ts";
import { type Product, startProduct } from "../measure/product.ts";
import { type Program, startProgram } from "../measure/program.ts";
import { alternate, cpuEach, p99, type Round, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import { countStoredMessages } from "../measure/stored-messages.ts";
import type { Figure, Metric, Run } from "../metric.ts";

const CONNECTIONS = 32;
const DOMAIN = "agents.example.org";
/** Longer than any number of mails that is sent by count takes. */
const LONG_MS = 600_000;

/** The measurements for one size of mail. */
interface Measure {
  name: string;
  bytes: number;
  targets: { rate?: number; cpu?: number; written?: number; disk?: number };
  /** A fresh service's first mails, and how many it has when the rounds begin; none of both by default. */
  first?: number;
  before?: number;
  /** When memory is read. */
  remembered?: number;
}

/** Mail of 3 KB over SMTP. */
export const ingest3k: Metric = {
  title: "Receiving 3 KB mail over SMTP, 32 connections: a fresh service's first mails, and later ones",
  measure: (run) =>
    measureIngest(run, {
      name: "ingest-3k",
      bytes: 3_000,
      targets: { cpu: 3.5, written: 20, disk: 3.2 },
      ...(run.quick
        ? { first: 200, before: 1_000, remembered: 2_000 }
        : { first: 1_000, before: 20_000, remembered: 25_000 }),
    }),
};

/** Mail of 100 KB over SMTP. */
export const ingest100k: Metric = {
  title: "Receiving 100 KB mail over SMTP, 32 connections",
  measure: (run) =>
    measureIngest(run, { name: "ingest-100k", bytes: 100_000, targets: { rate: 0.85, disk: 3.2 } }),
};

type Load = Program<typeof loadCalls>;

/** A server that takes mail, and its acknowledged mails. */
interface Contestant {
  pid: number;
  port: number;
}

function measureIngest(run: Run, mail: Measure) {
  return inTemporaryFolder((folder) =>
    withCleanup(async (cleanups) => {
      const load = await startProgram<typeof loadCalls>("load/smtp-load.ts", cleanups);
      const who = run.quick || mail.bytes > 50_000 ? FEW : MANY;
      const envelopes = planEnvelopes(who, DOMAIN);
      const count = envelopes.length;
      const zone = await load.call("prepare", { bytes: mail.bytes, envelopes, seed: run.seed, count });
      const dns = await startDnsServer(zone);
      cleanups.push(dns.close);
      const open = async (name: string) => {
        const home = join(folder, name);
        mkdirSync(home);
        const product = await startProduct(home, { DNS_SERVER: dns.server, MAIL_DOMAIN: DOMAIN });
        cleanups.push(product.end);
        await onboardAll(product.base_url, envelopes);
        const floor = await startProgram<typeof floorCalls>("floors/ingest-floor.ts", cleanups);
        const { port } = await floor.call("listen", { folder: home });
        return { home, product, floor: { pid: floor.pid, port } };
      };
      const figures: Figure[] = [];
      if (mail.first !== undefined) figures.push(...(await firstMails(run, load, mail, open)));

      const { home, product, floor } = await open("later");
      const mailpit = await startMailpit(folder);
      if (mailpit !== undefined) cleanups.push(mailpit.end);
      let [acknowledged, received] = [0, 0];
      const note = <R extends { done: number; bytes: number }>(round: R): R => {
        acknowledged += round.done;
        received += round.bytes;
        return round;
      };
      const written = readTreeWrites([product.pid]);
      if (mail.before !== undefined) {
        run.log(`${mail.before} mails before the rounds`);
        note(await sendMails(load, atSmtp(product), mail.before));
        await sendMails(load, floor, mail.before);
      }
      const rounds = await alternate(run, {
        product: async (ms) =>
          note(await measureMail(load, { ...atSmtp(product), connections: CONNECTIONS }, ms)),
        floor: (ms) => measureMail(load, { ...floor, connections: CONNECTIONS }, ms),
        ...(mailpit === undefined
          ? {}
          : { mailpit: (ms: number) => measureMail(load, { ...mailpit, connections: CONNECTIONS }, ms) }),
      });
      const { remembered = 0 } = mail;
      if (acknowledged < remembered) note(await sendMails(load, atSmtp(product), remembered - acknowledged));
      const anonymous = readAnonymousMb(product.pid);
      const resident = readResidentMb(product.pid);
      const wrote = readTreeWrites([product.pid]);
      const found = countStoredMessages(home);
      if (found !== acknowledged)
        throw new Error(`${mail.name}: ${acknowledged} mails were acknowledged, ${found} are stored`);

      const after = mail.before === undefined ? "" : `, after ${mail.before.toLocaleString("en-US")}`;
      const { name, targets } = mail;
      figures.push(...createFigures(`${name}${after}`, rounds.product, rounds.floor, targets));
      figures.push({ name: `${name}${after}: p99`, unit: "ms", ...summary(rounds.product.map(p99)) });
      if (written !== undefined && wrote !== undefined)
        figures.push({
          name: `${name}: bytes written per received byte`,
          unit: "×",
          value: (wrote - written) / received,
          ...(targets.written === undefined ? {} : { target: { at_most: targets.written } }),
        });
      figures.push({
        name: `${name}: disk bytes per received byte`,
        unit: "×",
        value: measureDisk(home) / received,
        ...(targets.disk === undefined ? {} : { target: { at_most: targets.disk } }),
      });
      if (rounds.mailpit !== undefined)
        figures.push({
          name: `${name}: product / Mailpit`,
          unit: "×",
          ...ratio(rounds.product, rounds.mailpit),
        });
      const many = remembered === 0 ? "it" : `${acknowledged.toLocaleString("en-US")} mails`;
      if (anonymous !== undefined)
        figures.push({
          name: `${name}: anonymous memory after ${many}`,
          unit: "MB",
          value: anonymous,
          target: { at_most: 350 },
        });
      if (resident !== undefined)
        figures.push({ name: `${name}: resident memory after ${many}`, unit: "MB", value: resident });
      const peer =
        mailpit === undefined
          ? "Mailpit is not on the PATH: not compared"
          : "Mailpit acknowledges what it has not synced";
      return {
        figures,
        notes: [
          `${name}: every acknowledged mail was found in the database afterwards`,
          `${who.senders} senders of ${who.domains} domains write to ${who.inboxes} inboxes`,
          peer,
        ],
      };
    }),
  );
}

/** The first mails of fresh services, each time of new ones. */
async function firstMails(
  run: Run,
  load: Load,
  mail: Measure,
  open: (name: string) => Promise<{ home: string; product: Product; floor: Contestant }>,
): Promise<Figure[]> {
  const { name, first = 0 } = mail;
  const [products, floors]: [Round[], Round[]] = [[], []];
  for (let number = 1; number <= run.rounds; number++) {
    const { home, product, floor } = await open(`first-${number}`);
    products.push(await sendMails(load, atSmtp(product), first));
    floors.push(await sendMails(load, floor, first));
    await product.end();
    if (countStoredMessages(home) !== first)
      throw new Error(`${name}: ${first} mails were acknowledged, ${countStoredMessages(home)} are stored`);
  }
  return createFigures(`${name}, first ${first.toLocaleString("en-US")}`, products, floors, {});
}

const atSmtp = ({ pid, smtp_port }: Product): Contestant => ({ pid, port: smtp_port });

/** Sends so many mails. */
const sendMails = (load: Load, target: Contestant, count: number) =>
  measureMail(load, { ...target, connections: CONNECTIONS }, LONG_MS, count);

function createFigures(
  name: string,
  product: readonly Round[],
  floor: readonly Round[],
  targets: Measure["targets"],
): Figure[] {
  return [
    {
      name: `${name}: product / floor`,
      unit: "×",
      ...ratio(product, floor),
      ...(targets.rate === undefined ? {} : { target: { at_least: targets.rate } }),
    },
    {
      name: `${name}: CPU / floor's`,
      unit: "×",
      ...ratio(product, floor, cpuEach),
      ...(targets.cpu === undefined ? {} : { target: { at_most: targets.cpu } }),
    },
    { name: `${name}: product`, unit: "mails/s", ...summary(product.map(rate)) },
    { name: `${name}: floor`, unit: "mails/s", ...summary(floor.map(rate)) },
    { name: `${name}: CPU a mail`, unit: "µs", ...summary(product.map(cpuEach)) },
    { name: `${name}: CPU a mail, floor`, unit: "µs", ...summary(floor.map(cpuEach)) },
  ];
}

/** The size of the database and blobs, without the write-ahead log, whose size is bounded. */
export function measureDisk(folder: string): number {
  const files = ["letterslot.db", ...globSync("blobs/**/*", { cwd: folder })];
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}
