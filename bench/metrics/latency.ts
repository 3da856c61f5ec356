import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as floorCalls } from "../floors/ingest-floor.ts";
import type { calls as loadCalls } from "../load/latency-load.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { onboard } from "../measure/onboard.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, p99 } from "../measure/rounds.ts";
import { median, summary } from "../measure/statistics.ts";
import type { Figure, Metric } from "../metric.ts";

const DOMAIN = "agents.example.org";
const CONNECTIONS = 32;
const SPEEDS = [
  { per_second: 200, p99_ms: 20 },
  { per_second: 1000, p99_ms: 40 },
];

/** The time from a mail's first byte to its webhook's receiver. */
export const latency: Metric = {
  title: "From a mail's first byte to the webhook's receiver",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withCleanup(async (cleanups) => {
        const load = await startProgram<typeof loadCalls>("load/latency-load.ts", cleanups);
        const { zone, url } = await load.call("prepare", {
          bytes: 3_000,
          to: `agent@${DOMAIN}`,
          seed: run.seed,
          count: 256,
        });
        const dns = await startDnsServer(zone);
        cleanups.push(dns.close);
        const product = await startProduct(folder, { DNS_SERVER: dns.server, MAIL_DOMAIN: DOMAIN });
        cleanups.push(product.end);
        const { client } = await onboard(product.base_url);
        await client.webhooks.create({ url, events: ["message.received"] });
        const floor = await startProgram<typeof floorCalls>("floors/ingest-floor.ts", cleanups);
        const { port } = await floor.call("listen", { folder, webhook_url: url });
        const figures: Figure[] = [];
        const notes: string[] = [];
        for (const { per_second, p99_ms } of SPEEDS) {
          let missing = 0;
          const send = (to: number) => async (ms: number) => {
            const round = await load.call("run", { port: to, per_second, connections: CONNECTIONS, ms });
            missing += round.missing;
            return { ...round, cpu_us: undefined };
          };
          const rounds = await alternate(
            { ...run, round_ms: run.round_ms / 2 },
            { product: send(product.smtp_port), floor: send(port) },
          );
          const ratios = rounds.product.map(
            ({ latencies }, index) => median(latencies ?? []) / median(rounds.floor[index]?.latencies ?? []),
          );
          const name = `latency at ${per_second.toLocaleString("en-US")}/s`;
          figures.push(
            { name: `${name}: p50 / floor`, unit: "×", ...summary(ratios), target: { at_most: 2.5 } },
            {
              name: `${name}: p50`,
              unit: "ms",
              ...summary(rounds.product.map(({ latencies = [] }) => median(latencies))),
            },
            {
              name: `${name}: p99`,
              unit: "ms",
              ...summary(rounds.product.map(p99)),
              target: { at_most: p99_ms },
            },
          );
          if (missing > 0)
            notes.push(`${name}: ${missing} deliveries had not arrived 3 s after the last mail was due`);
        }
        return { figures, notes };
      }),
    ),
};
