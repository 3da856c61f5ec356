import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { createClient } from "@letterslot/client";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as loadCalls } from "../load/latency-load.ts";
import type { calls as hopCalls } from "../load/next-hop.ts";
import { openSession } from "../load/smtp-session.ts";
import type { calls as receiverCalls } from "../load/webhook-receiver.ts";
import { SENDER } from "../mail/envelopes.ts";
import { createMailPool, createMailSource } from "../mail/mails.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { machineNow } from "../measure/clock.ts";
import { onboard } from "../measure/onboard.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { quantile, summary } from "../measure/statistics.ts";
import type { Figure, Metric, Run } from "../metric.ts";

const DOMAIN = "agents.example.org";
const BYTES = 3_000;
/** Mails a second: of one agent, and of others beside it. */
const RATES = [5, 50, 200];
const CONNECTIONS = 16;
const REPLIES = 20;
/** What reads mail is made ready right after a start, which takes a moment. */
const SETTLE_MS = 1_000;
const IDLE_MS = { quick: 2_000, usual: 45_000 };
const IDLE_ROUNDS = { quick: 1, usual: 3 };
const ACCOUNTS = 10;
const WEBHOOKS = 50;
const FAN_OUTS = { quick: 2, usual: 40 };

/** What the owner of one agent feels: how long everything takes that they wait for. */
export const felt: Metric = {
  title:
    "As one agent feels it: mail in to webhook, reply to the next hop, the first mail, 500 webhooks at once",
  measure: async (run) => ({
    figures: [...(await inTemporaryFolder((folder) => oneAgent(run, folder))), ...(await fanOut(run))],
  }),
};

const oneAgent = (run: Run, folder: string): Promise<Figure[]> =>
  withCleanup(async (cleanups) => {
    const load = await startProgram<typeof loadCalls>("load/latency-load.ts", cleanups);
    const envelopes = [{ from: SENDER, to: `agent@${DOMAIN}` }];
    const { zone, url } = await load.call("prepare", { bytes: BYTES, envelopes, seed: run.seed, count: 64 });
    const dns = await startDnsServer(zone);
    cleanups.push(dns.close);
    const hop = await startProgram<typeof hopCalls>("load/next-hop.ts", cleanups);
    const SMTP_URL = `smtp://127.0.0.1:${await hop.call("listen", undefined)}`;
    const environment = { DNS_SERVER: dns.server, MAIL_DOMAIN: DOMAIN, SMTP_URL };
    const start = () => startProduct(folder, environment);
    let product = await start();
    cleanups.push(() => product.end());
    const { client: before, inbox_id, api_key } = await onboard(product.base_url);
    await before.webhooks.create({ url, events: ["message.received"] });

    /** The milliseconds from the mails' first bytes to their webhook, of so many a second. */
    const deliver = async (per_second: number, ms: number): Promise<number[]> => {
      const at = { port: product.smtp_port, connections: CONNECTIONS };
      const { latencies, missing } = await load.call("run", { ...at, per_second, ms });
      if (missing > 0) throw new Error(`${missing} mails had not reached the webhook after 3 s`);
      return latencies;
    };
    const one = async () => (await deliver(1, 1_000))[0] ?? Number.NaN;

    const first: number[] = [];
    const at_once: number[] = [];
    for (let round = 0; round < Math.min(run.rounds, 3); round++) {
      for (const [wait_ms, latencies] of [
        [0, at_once],
        [SETTLE_MS, first],
      ] as const) {
        await product.end();
        product = await start();
        await after(wait_ms);
        latencies.push(await one());
      }
    }
    run.log(`the first mail: ${first.map((ms) => ms.toFixed(0)).join(", ")} ms`);

    const busy: Figure[] = [];
    await deliver(200, run.round_ms);
    for (const per_second of RATES) {
      const rounds: number[][] = [];
      for (let round = 0; round < run.rounds; round++) rounds.push(await deliver(per_second, run.round_ms));
      const name = `felt: mail in to webhook at ${per_second} a second`;
      busy.push(
        figure(
          `${name}, p50`,
          rounds.map((each) => quantile(each, 0.5)),
          8,
        ),
        figure(
          `${name}, p99`,
          rounds.map((each) => quantile(each, 0.99)),
          25,
        ),
      );
      run.log(`at ${per_second} a second: p50 ${quantile(rounds.flat(), 0.5).toFixed(1)} ms`);
    }

    const client = createClient({ baseUrl: product.base_url, apiKey: api_key });
    const [message] = (await client.messages.list({ inbox_id, limit: 1 })).data;
    if (message === undefined) throw new Error("no mail came");
    const replies: number[][] = [];
    for (let round = 0; round < run.rounds; round++) {
      const took: number[] = [];
      for (let count = 0; count < REPLIES; count++) {
        const word = `reply-${round}-${count}-done`;
        const began = machineNow();
        const [at] = await Promise.all([
          hop.call("next", word),
          client.messages.reply({ inbox_id, message_id: message.id, text: word }),
        ]);
        took.push(at - began);
      }
      replies.push(took);
    }

    const idle: number[] = [];
    const { [run.quick ? "quick" : "usual"]: rounds } = IDLE_ROUNDS;
    for (let round = 0; round < rounds; round++) {
      await after(run.quick ? IDLE_MS.quick : IDLE_MS.usual);
      idle.push(await one());
    }
    return [
      figure("felt: the first mail, a second after a start", first, 100),
      figure("felt: the first mail, at once after a start", at_once),
      figure("felt: a mail after 45 seconds of nothing", idle, 100),
      ...busy,
      figure(
        "felt: reply to the next hop, p50",
        replies.map((each) => quantile(each, 0.5)),
        8,
      ),
      figure(
        "felt: reply to the next hop, p99",
        replies.map((each) => quantile(each, 0.99)),
        25,
      ),
    ];
  });

/** Ten accounts with fifty webhooks each get a mail at once: the latest of the deliveries. */
const fanOut = (run: Run): Promise<Figure[]> =>
  inTemporaryFolder((folder) =>
    withCleanup(async (cleanups) => {
      const receiver = await startProgram<typeof receiverCalls>("load/webhook-receiver.ts", cleanups);
      const { url } = await receiver.call("listen", undefined);
      const names = Array.from({ length: ACCOUNTS }, (_, number) => `agent${number}`);
      const envelopes = names.map((name) => ({ from: SENDER, to: `${name}@${DOMAIN}` }));
      const { mails, zone } = await createMailPool({
        count: ACCOUNTS,
        bytes: BYTES,
        envelopes,
        seed: run.seed,
      });
      const dns = await startDnsServer(zone);
      cleanups.push(dns.close);
      const environment = { DNS_SERVER: dns.server, MAIL_DOMAIN: DOMAIN };
      const product = await startProduct(join(folder, "service"), environment);
      cleanups.push(product.end);
      for (const name of names) {
        const { client } = await onboard(product.base_url, name);
        for (let webhook = 0; webhook < WEBHOOKS; webhook++)
          await client.webhooks.create({ url: `${url}?${name}-${webhook}`, events: ["message.received"] });
      }
      const source = createMailSource(mails);
      const sessions = await Promise.all(names.map(() => openSession(product.smtp_port)));
      const latest: number[] = [];
      const rounds = run.quick ? FAN_OUTS.quick : FAN_OUTS.usual;
      for (let round = 1; round <= rounds; round++) {
        const began = performance.now();
        const arrived = receiver.call("until", round * ACCOUNTS * WEBHOOKS);
        await Promise.all(sessions.map((session) => session.send(source.next())));
        await arrived;
        latest.push(performance.now() - began);
      }
      for (const session of sessions) session.close();
      run.log(
        `${ACCOUNTS * WEBHOOKS} webhooks, ${rounds} times: the latest after ${Math.max(...latest).toFixed(0)} ms`,
      );
      return [
        figure("felt: the latest of 500 webhooks, median", latest),
        {
          name: "felt: the latest of 500 webhooks, of all rounds",
          unit: "ms",
          value: Math.max(...latest),
          target: { at_most: 1_000 },
        },
      ];
    }),
  );

const figure = (name: string, values: readonly number[], at_most?: number): Figure => ({
  ...{ name, unit: "ms", ...summary(values) },
  ...(at_most === undefined ? {} : { target: { at_most } }),
});
