import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as floorCalls } from "../floors/ingest-floor.ts";
import type { calls as loadCalls } from "../load/latency-load.ts";
import { SENDER } from "../mail/envelopes.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { onboard } from "../measure/onboard.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, p99, withMissing } from "../measure/rounds.ts";
import { median, summary } from "../measure/statistics.ts";
import type { Figure, Metric } from "../metric.ts";

const DOMAIN = "agents.example.org";
const CONNECTIONS = 32;
/** The share of the measured capacity at which latency is measured. */
const SHARE_OF_CAPACITY = 0.3;
/** Rounds of mail at full speed before measuring, by which time most of the code is compiled. */
const WARM_UP_ROUNDS = 5;

/** The time from a mail's first byte to its webhook's receiver. */
export const latency: Metric = {
  title: "From a mail's first byte to the webhook's receiver, at 30 % of the capacity",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withCleanup(async (cleanups) => {
        const load = await startProgram<typeof loadCalls>("load/latency-load.ts", cleanups);
        const { zone, url } = await load.call("prepare", {
          bytes: 3_000,
          envelopes: [{ from: SENDER, to: `agent@${DOMAIN}` }],
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

        const most = { port: product.smtp_port, connections: CONNECTIONS };
        await load.call("capacity", { ...most, ms: run.round_ms * WARM_UP_ROUNDS });
        const capacity = await load.call("capacity", { ...most, ms: run.round_ms });
        const per_second = Math.round(capacity.per_second * SHARE_OF_CAPACITY);
        run.log(`${Math.round(capacity.per_second)} mails/s at most, so ${per_second}/s`);

        let missing = 0;
        const send = (to: number) => async (ms: number) => {
          const round = await load.call("run", { port: to, per_second, connections: CONNECTIONS, ms });
          missing += round.missing;
          return withMissing({ ...round, cpu_us: undefined }, round.missing);
        };
        const rounds = await alternate(run, { product: send(product.smtp_port), floor: send(port) });
        const ratios = rounds.product.map(
          ({ latencies }, index) => median(latencies ?? []) / median(rounds.floor[index]?.latencies ?? []),
        );
        const figures: Figure[] = [
          { name: "latency: capacity", unit: "mails/s", value: capacity.per_second },
          { name: "latency: p50 / floor", unit: "×", ...summary(ratios), target: { at_most: 5 } },
          {
            name: "latency: p50",
            unit: "ms",
            ...summary(rounds.product.map(({ latencies = [] }) => median(latencies))),
          },
          { name: "latency: p99", unit: "ms", ...summary(rounds.product.map(p99)), target: { at_most: 20 } },
        ];
        return {
          figures,
          notes: [
            `${missing} deliveries had not arrived 3 s after the last mail was due; they count as infinitely late`,
            ...(capacity.missing > 0
              ? [
                  `${capacity.missing} deliveries of the burst that measured the capacity had not arrived after 30 s`,
                ]
              : []),
          ],
        };
      }),
    ),
};
