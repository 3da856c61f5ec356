import { mkdirSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as loadCalls } from "../load/smtp-load.ts";
import { FEW, MANY, planEnvelopes } from "../mail/envelopes.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { measureMail } from "../measure/measure-mail.ts";
import { onboardAll } from "../measure/onboard.ts";
import { readThreadCpu, readTreeWrites } from "../measure/process-cost.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, type Round, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import { countStoredMessages } from "../measure/stored-messages.ts";
import type { Figure, Metric, Outcome, Run } from "../metric.ts";

const CONNECTIONS = 32;
const DOMAIN = "agents.example.org";
const BYTES = 3_000;
/** Longer than any number of mails that is sent by count takes. */
const LONG_MS = 600_000;
const MAILS = { quick: { round: 200, before: 400 }, usual: { round: 2_000, before: 20_000 } };
/** Mails that one server takes before the next one's turn, until the rounds begin: less than an idle session's time. */
const TURN = 2_000;
const WHY_NOT =
  "BENCH_AGAINST names no checkouts (folders with installed dependencies, separated like PATH): not compared";

/** Receiving mail, beside other checkouts of this project. */
export const against: Metric = {
  title:
    "Receiving 3 KB mail over SMTP, beside the checkouts that BENCH_AGAINST names; all run from their sources",
  async measure(run) {
    const others = (process.env["BENCH_AGAINST"] ?? "").split(delimiter).filter(Boolean);
    if (others.length === 0) return { figures: [], notes: [WHY_NOT] };
    return inTemporaryFolder((folder) => compare(run, folder, others));
  },
};

interface Contestant {
  name: string;
  home: string;
  pid: number;
  port: number;
  sent: number;
  bytes: number;
  written: number;
}

const compare = (run: Run, folder: string, others: readonly string[]): Promise<Outcome> =>
  withCleanup(async (cleanups) => {
    const load = await startProgram<typeof loadCalls>("load/smtp-load.ts", cleanups);
    const envelopes = planEnvelopes(run.quick ? FEW : MANY, DOMAIN);
    const count = envelopes.length;
    const zone = await load.call("prepare", { bytes: BYTES, envelopes, seed: run.seed, count });
    const dns = await startDnsServer(zone);
    cleanups.push(dns.close);
    const start = async (name: string, checkout: string): Promise<Contestant> => {
      const home = join(folder, name);
      mkdirSync(home);
      const environment = { DNS_SERVER: dns.server, MAIL_DOMAIN: DOMAIN };
      const main = join(resolve(checkout), "packages/server/src/main.js");
      const product = await startProduct(home, environment, [], main);
      cleanups.push(product.end);
      await onboardAll(product.base_url, envelopes);
      return { name, home, pid: product.pid, port: product.smtp_port, sent: 0, bytes: 0, written: 0 };
    };
    const contestants = [await start("this", join(import.meta.dirname, "../.."))];
    for (const [number, other] of others.entries())
      contestants.push(await start(`${number + 1} ${basename(resolve(other))}`, other));

    const play = async (one: Contestant, mails: number): Promise<Round> => {
      const before = readTreeWrites([one.pid]) ?? Number.NaN;
      const round = await measureMail(load, { ...one, connections: CONNECTIONS }, LONG_MS, mails);
      one.sent += round.done;
      one.bytes += round.bytes;
      one.written += (readTreeWrites([one.pid]) ?? Number.NaN) - before;
      return round;
    };
    const { round, before } = run.quick ? MAILS.quick : MAILS.usual;
    run.log(`${before} mails before the rounds`);
    for (let sent = 0; sent < before; sent += TURN)
      for (const one of contestants) await play(one, Math.min(TURN, before - sent));
    for (const one of contestants) Object.assign(one, { bytes: 0, written: 0 });
    const [threads, sent] = [
      contestants.map(({ pid }) => readThreadCpu(pid)),
      contestants.map((one) => one.sent),
    ];
    const rounds = await alternate(
      run,
      Object.fromEntries(contestants.map((one) => [one.name, () => play(one, round)])),
    );

    for (const { name, home, sent: acknowledged } of contestants)
      if (countStoredMessages(home) !== acknowledged)
        throw new Error(
          `${name}: ${acknowledged} mails were acknowledged, ${countStoredMessages(home)} are stored`,
        );
    const own = rounds["this"] ?? [];
    const [ourselves] = contestants;
    return {
      figures: contestants.flatMap((one) => {
        const [theirs, name] = [rounds[one.name] ?? [], `against, after ${before.toLocaleString("en-US")}`];
        const figures: Figure[] = [
          { name: `${name}: CPU a mail, ${one.name}`, unit: "µs", ...summary(theirs.map(cpuEach)) },
          { name: `${name}: ${one.name}`, unit: "mails/s", ...summary(theirs.map(rate)) },
        ];
        if (one === ourselves || ourselves === undefined) return figures;
        return [
          ...figures,
          { name: `${name}: CPU / that of ${one.name}`, unit: "×", ...ratio(own, theirs, cpuEach) },
          { name: `${name}: rate / that of ${one.name}`, unit: "×", ...ratio(own, theirs) },
          {
            name: `${name}: bytes written / those of ${one.name}`,
            unit: "×",
            value: ourselves.written / ourselves.bytes / (one.written / one.bytes),
          },
        ];
      }),
      notes: contestants.map((one, index) => {
        const mails = one.sent - (sent[index] ?? 0);
        const each = [...readThreadCpu(one.pid)]
          .map(([thread, us]) => ({ thread, us: (us - (threads[index]?.get(thread) ?? 0)) / mails }))
          .filter(({ us }) => us >= 20)
          .toSorted((a, b) => b.us - a.us);
        return `${one.name}, CPU by thread: ${each.map(({ thread, us }) => `${thread.replace(/^\d+ /, "")} ${us.toFixed(0)} µs`).join(", ")}`;
      }),
    };
  });
