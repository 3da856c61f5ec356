import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as loadCalls } from "../load/smtp-load.ts";
import { SENDER } from "../mail/envelopes.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { onboard } from "../measure/onboard.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Metric } from "../metric.ts";

const DOMAIN = "agents.example.org";
const CONNECTIONS = 32;
const SYNC_DELAY_US = 2_000;

/** Measures the sync calls per mail and the cost of slow syncs. */
export const sync: Metric = {
  title: "Sync calls per acknowledged mail, and throughput when each takes 2 ms longer (strace)",
  async measure(run) {
    if (spawnSync("strace", ["-V"]).status !== 0)
      return { figures: [], notes: ["skipped: strace is not on the PATH"] };
    return inTemporaryFolder((folder) =>
      withCleanup(async (cleanups) => {
        const load = await startProgram<typeof loadCalls>("load/smtp-load.ts", cleanups);
        const zone = await load.call("prepare", {
          bytes: 3_000,
          envelopes: [{ from: SENDER, to: `agent@${DOMAIN}` }],
          seed: run.seed,
          count: 256,
        });
        const dns = await startDnsServer(zone);
        cleanups.push(dns.close);
        const start = async (name: string, injection: string[]) => {
          const log = join(folder, `${name}.strace`);
          const home = join(folder, name);
          const tracer = [
            "strace",
            "-f",
            "--seccomp-bpf",
            "-qq",
            "-e",
            "trace=fsync,fdatasync",
            ...injection,
            "-o",
            log,
          ];
          const product = await startProduct(home, { DNS_SERVER: dns.server, MAIL_DOMAIN: DOMAIN }, tracer);
          cleanups.push(product.end);
          await onboard(product.base_url);
          return {
            product,
            syncs: () => (readFileSync(log, "utf8").match(/f(?:data)?sync\(/g) ?? []).length,
          };
        };
        const usual = await start("usual", []);
        const slow = await start("slow", ["-e", `inject=fsync,fdatasync:delay_exit=${SYNC_DELAY_US}`]);
        const each: number[] = [];
        const send = (port: number, syncs?: () => number) => async (ms: number) => {
          const before = syncs?.() ?? 0;
          const round = await load.call("run", { port, connections: CONNECTIONS, ms });
          if (syncs !== undefined) each.push((syncs() - before) / round.done);
          return { ...round, cpu_us: undefined };
        };
        const rounds = await alternate(
          { ...run, round_ms: run.round_ms / 2 },
          { usual: send(usual.product.smtp_port, usual.syncs), slow: send(slow.product.smtp_port) },
        );
        return {
          figures: [
            { name: "sync: calls a mail", unit: "", ...summary(each.slice(1)) },
            {
              name: "sync: throughput with slow syncs / usual",
              unit: "×",
              ...ratio(rounds.slow, rounds.usual),
              target: { at_least: 0.7 },
            },
            { name: "sync: throughput under strace", unit: "mails/s", ...summary(rounds.usual.map(rate)) },
          ],
        };
      }),
    );
  },
};
