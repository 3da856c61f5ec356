import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as loadCalls } from "../load/smtp-load.ts";
import { onboard } from "../measure/onboard.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import { inTemporaryFolder, withEnds } from "../measure/temporary-folder.ts";
import type { Metric } from "../metric.ts";

const domain = "agents.example.org";
const connections = 32;
const slowUs = 2_000;

/** How many syncs a mail takes, and what slow ones cost. */
export const sync: Metric = {
  title: "Sync calls of an acknowledged mail, and throughput when each takes 2 ms longer (strace)",
  async measure(run) {
    if (spawnSync("strace", ["-V"]).status !== 0)
      return { figures: [], notes: ["left out: strace is not on the PATH"] };
    return inTemporaryFolder((folder) =>
      withEnds(async (ends) => {
        const load = await startProgram<typeof loadCalls>(new URL("../load/smtp-load.ts", import.meta.url));
        ends.push(load.end);
        const zone = await load.call("prepare", {
          bytes: 3_000,
          to: `agent@${domain}`,
          seed: run.seed,
          count: 256,
        });
        const dns = await startDnsServer(zone);
        ends.push(dns.close);
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
          const product = await startProduct(home, { DNS_SERVER: dns.server, MAIL_DOMAIN: domain }, tracer);
          ends.push(product.end);
          await onboard(product.base_url);
          return {
            product,
            syncs: () => (readFileSync(log, "utf8").match(/f(?:data)?sync\(/g) ?? []).length,
          };
        };
        const usual = await start("usual", []);
        const slow = await start("slow", ["-e", `inject=fsync,fdatasync:delay_exit=${slowUs}`]);
        const each: number[] = [];
        const send = (port: number, syncs?: () => number) => async (ms: number) => {
          const before = syncs?.() ?? 0;
          const round = await load.call("run", { port, connections, ms });
          if (syncs !== undefined) each.push((syncs() - before) / round.done);
          return { ...round, cpu_us: undefined };
        };
        const rounds = await alternate(
          { ...run, round_ms: run.round_ms / 2 },
          { usual: send(usual.product.smtp_port, usual.syncs), slow: send(slow.product.smtp_port) },
        );
        return {
          figures: [
            { name: "sync: calls a mail", unit: "", ...summary(each.slice(1)), target: { at_most: 0.1 } },
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
