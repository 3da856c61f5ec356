import { createServer } from "node:http";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as httpCalls } from "../load/http-load.ts";
import type { calls as smtpCalls } from "../load/smtp-load.ts";
import { openSession } from "../load/smtp-session.ts";
import { SENDER } from "../mail/envelopes.ts";
import { createHostileMails } from "../mail/hostile-mails.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { listen } from "../measure/listen.ts";
import { onboard } from "../measure/onboard.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { quantile, summary } from "../measure/statistics.ts";
import type { Metric } from "../metric.ts";

const DOMAIN = "agents.example.org";
const HANGING_RECEIVERS = 20;
const FLOOD_CONNECTIONS = 16;
const PROBE_PAUSE_MS = 5;

/** Measures the effect of a loud tenant on a quiet one. */
export const neighbour: Metric = {
  title: "A quiet tenant beside another's flood of mail, hanging receivers and hostile mail",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withCleanup(async (cleanups) => {
        const flood = await startProgram<typeof smtpCalls>("load/smtp-load.ts", cleanups);
        const probe = await startProgram<typeof httpCalls>("load/http-load.ts", cleanups);
        const to = `loud@${DOMAIN}`;
        const zone = await flood.call("prepare", {
          bytes: 3_000,
          envelopes: [{ from: SENDER, to }],
          seed: run.seed,
          count: 256,
        });
        const dns = await startDnsServer(zone);
        cleanups.push(dns.close);
        const product = await startProduct(folder, { DNS_SERVER: dns.server, MAIL_DOMAIN: DOMAIN });
        cleanups.push(product.end);
        const loud = await onboard(product.base_url, "loud");
        const quiet = await onboard(product.base_url, "quiet");
        const receiver = await hangingReceiver(cleanups);
        for (let each = 0; each < HANGING_RECEIVERS; each++)
          await loud.client.webhooks.create({ url: `${receiver}/${each}` });

        const ask = (ms: number) =>
          probe.call("run", {
            base_url: product.base_url,
            method: "GET",
            paths: [`/api/v1/inboxes/${quiet.inbox_id}/messages?limit=25`, "/api/v1/me"],
            headers: { authorization: `Bearer ${quiet.api_key}` },
            connections: 1,
            pause_ms: PROBE_PAUSE_MS,
            ms,
          });
        await ask(run.round_ms / 2);
        await flood.call("run", {
          port: product.smtp_port,
          connections: FLOOD_CONNECTIONS,
          ms: run.round_ms / 2,
        });
        const alone: number[] = [];
        const beside: number[] = [];
        const longest: number[] = [];
        const mails = createHostileMails(to);
        for (let round = 0; round < run.rounds; round++) {
          alone.push(quantile((await ask(run.round_ms / 2)).latencies, 0.99));
          const sending = flood.call("run", {
            port: product.smtp_port,
            connections: FLOOD_CONNECTIONS,
            ms: run.round_ms / 2,
          });
          const hostile = sendAll(product.smtp_port, to, mails);
          const { latencies } = await ask(run.round_ms / 2);
          beside.push(quantile(latencies, 0.99));
          longest.push(Math.max(...latencies));
          await Promise.all([sending, hostile]);
          run.log(
            `round ${round + 1}: p99 alone ${alone.at(-1)?.toFixed(1)} ms, beside ${beside.at(-1)?.toFixed(1)} ms`,
          );
        }
        return {
          figures: [
            {
              name: "neighbour: p99 beside / alone",
              unit: "×",
              ...summary(beside.map((p99, index) => p99 / (alone[index] ?? Number.NaN))),
              target: { at_most: 2 },
            },
            { name: "neighbour: p99 alone", unit: "ms", ...summary(alone) },
            { name: "neighbour: p99 beside", unit: "ms", ...summary(beside) },
            {
              name: "neighbour: longest answer beside",
              unit: "ms",
              ...summary(longest),
              target: { at_most: 50 },
            },
          ],
          notes: [
            "the flood keeps the one thread busy, so the machine's spare time decides; the longest answer bounds the longest stall of the event loop",
          ],
        };
      }),
    ),
};

/** Accepts requests and never responds. */
async function hangingReceiver(cleanups: { push(end: () => unknown): void }): Promise<string> {
  const server = createServer(() => {});
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server);
}

/** Sends hostile mail, whether or not it is accepted. */
async function sendAll(port: number, to: string, mails: readonly Buffer[]): Promise<void> {
  for (const raw of mails) {
    const session = await openSession(port);
    await session.send({ from: SENDER, to, raw });
    session.close();
  }
}
