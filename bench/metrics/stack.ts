import { globSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as loadCalls } from "../load/smtp-load.ts";
import { FEW, MANY, planEnvelopes } from "../mail/envelopes.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { onboardAll } from "../measure/onboard.ts";
import { readTreeCpu, readTreeWrites } from "../measure/process-cost.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, type Round, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import { countStoredMessages } from "../measure/stored-messages.ts";
import type { Metric, Outcome, Run } from "../metric.ts";
import { thisMachine, whyNot } from "../stack/needs.ts";
import { startStack } from "../stack/start-stack.ts";
import { measureDisk } from "./ingest.ts";

const CONNECTIONS = 32;
const DOMAIN = "agents.example.org";
const BYTES = 3_000;
const LONG_MS = 600_000;
const POLL_MS = 50;
/** The unit in which the system counts disk usage. */
const BLOCK_BYTES = 512;
/** Time limit for the stack to index the mail that it has acknowledged. */
const PATIENCE_MS = 300_000;
/**
 * Mails of a round, the same number for both, because the stack acknowledges mail that it has yet to store; and the
 * warm-up mails, in which the service's code is compiled.
 */
const MAILS = { quick: { round: 100, before: 100 }, usual: { round: 2_000, before: 10_000 } };

/** Measures the stack that a user would run instead: Postfix, Rspamd, Dovecot and notmuch. */
export const stack: Metric = {
  title: "The same signed 3 KB mail through Postfix, Rspamd, Dovecot and notmuch, until stored and indexed",
  async measure(run) {
    const reason = whyNot(thisMachine());
    if (reason !== undefined) return { figures: [], notes: [reason] };
    return inTemporaryFolder((folder) => compare(run, folder));
  },
};

const compare = (run: Run, folder: string): Promise<Outcome> =>
  withCleanup(async (cleanups) => {
    const load = await startProgram<typeof loadCalls>("load/smtp-load.ts", cleanups);
    const who = run.quick ? FEW : MANY;
    const envelopes = planEnvelopes(who, DOMAIN);
    const zone = await load.call("prepare", {
      bytes: BYTES,
      envelopes,
      seed: run.seed,
      count: envelopes.length,
    });
    const dns = await startDnsServer(zone);
    cleanups.push(dns.close);
    run.log("starting the stack: Rspamd compiles its patterns");
    const peers = await startStack(folder, { domain: DOMAIN, dns_server: dns.server }, cleanups);
    const home = join(folder, "product");
    mkdirSync(home);
    const product = await startProduct(home, { DNS_SERVER: dns.server, MAIL_DOMAIN: DOMAIN });
    cleanups.push(product.end);
    await onboardAll(product.base_url, envelopes);

    const mails = run.quick ? MAILS.quick : MAILS.usual;
    const totals = { product: { sent: 0, bytes: 0, written: 0 }, stack: { sent: 0, bytes: 0, written: 0 } };
    const play =
      (name: keyof typeof totals, port: number, pids: readonly number[], stored: () => Promise<number>) =>
      async (count: number): Promise<Round> => {
        const total = totals[name];
        const [cpu, written] = [readTreeCpu(pids) ?? Number.NaN, readTreeWrites(pids) ?? Number.NaN];
        const began = performance.now();
        const round = await load.call("run", { port, connections: CONNECTIONS, ms: LONG_MS, count });
        if (round.refused.length > 0) throw new Error(`the ${name} refused mail, with ${round.refused[0]}`);
        total.sent += round.done;
        total.bytes += round.bytes;
        await untilStored(stored, total.sent);
        const ms = performance.now() - began;
        total.written += (readTreeWrites(pids) ?? Number.NaN) - written;
        return { done: round.done, ms, cpu_us: (readTreeCpu(pids) ?? Number.NaN) - cpu };
      };
    // Its acknowledged mails are stored and indexed.
    const ownRound = play("product", product.smtp_port, [product.pid], async () => totals.product.sent);
    const stackRound = play("stack", peers.smtp_port, peers.pids, peers.indexed);
    run.log(`${mails.before} mails before the rounds`);
    await ownRound(mails.before);
    await stackRound(mails.before);
    const rounds = await alternate(run, {
      product: () => ownRound(mails.round),
      stack: () => stackRound(mails.round),
    });
    const found = countStoredMessages(home);
    if (found !== totals.product.sent)
      throw new Error(`${totals.product.sent} mails were acknowledged, ${found} are stored`);
    const results = peers.authenticated();
    for (const method of ["dkim", "spf", "dmarc"])
      if (!results.includes(`${method}=pass`))
        throw new Error(`the stack says of its mail: ${results || "nothing"}`);

    const writtenEach = ({ written, bytes }: typeof totals.product) => written / bytes;
    const disk = measureDisk(home) / totals.product.bytes;
    const stackDisk = sizeOf(peers.mail) / totals.stack.bytes;
    return {
      figures: [
        {
          name: "stack: product / stack",
          unit: "×",
          ...ratio(rounds.product, rounds.stack),
          target: { at_least: 3 },
        },
        {
          name: "stack: its CPU / product's",
          unit: "×",
          ...ratio(rounds.stack, rounds.product, cpuEach),
          target: { at_least: 3 },
        },
        { name: "stack: product", unit: "mails/s", ...summary(rounds.product.map(rate)) },
        { name: "stack: the stack", unit: "mails/s", ...summary(rounds.stack.map(rate)) },
        { name: "stack: CPU a mail, product", unit: "µs", ...summary(rounds.product.map(cpuEach)) },
        { name: "stack: CPU a mail, the stack", unit: "µs", ...summary(rounds.stack.map(cpuEach)) },
        {
          name: "stack: bytes written per received byte, product",
          unit: "×",
          value: writtenEach(totals.product),
        },
        {
          name: "stack: bytes written per received byte, the stack",
          unit: "×",
          value: writtenEach(totals.stack),
        },
        {
          name: "stack: disk, product / stack",
          unit: "×",
          value: disk / stackDisk,
          target: { at_most: 0.7 },
        },
        { name: "stack: disk bytes per received byte, the stack", unit: "×", value: stackDisk },
      ],
      notes: [
        `rounds of ${mails.round} mails, each until the last is stored and indexed; all were found, and SPF, DKIM and DMARC passed`,
        "in the stack's favour: no virus scanner, no block lists, no statistics in Redis",
      ],
    };
  });

async function untilStored(stored: () => Promise<number>, count: number): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; ; await after(POLL_MS)) {
    const now = await stored();
    if (now >= count) return;
    if (performance.now() > end) throw new Error(`${count} mails were acknowledged, ${now} are indexed`);
  }
}

/** Returns the disk space that the files below a folder occupy, in bytes. */
function sizeOf(folder: string): number {
  return globSync("**/*", { cwd: folder }).reduce((sum, file) => {
    const { blocks } = statSync(join(folder, file));
    return sum + blocks * BLOCK_BYTES;
  }, 0);
}
