import { setTimeout as after } from "node:timers/promises";
import type { Client } from "@letterslot/client";
import { startLoad } from "../test/support/crash-load.ts";
import { type Footprint, findGrowth, readFootprint } from "../test/support/footprint.ts";
import type { MailDomain } from "../test/support/mail-domain.ts";
import { seeded } from "../test/support/seeded.ts";
import { startServerWorld } from "../test/support/server-world.ts";
import { until } from "../test/support/until.ts";
import { duration } from "./terminal.ts";

const ROUNDS = 6;
/** The share of a round with load; the server is idle for the rest. */
const LOAD_SHARE = 0.7;
const SETTLE_MS = 60_000;
const COLUMNS = ["round", "mails", "replies", "RSS MB", "handles", "threads", "WAL MB"];

/**
 * Runs rounds of load against a real server (mail, replies, webhooks, streams, attachment text) with idle periods
 * between them. Returns the resources that were not released: memory, handles, threads, the database's log, and mail
 * and events that still wait to be sent.
 */
export async function soakMemory(minutes: number, seed: number): Promise<string[]> {
  const closing: (() => unknown)[] = [];
  try {
    return await soak(minutes, seed, closing);
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

async function soak(minutes: number, seed: number, closing: (() => unknown)[]): Promise<string[]> {
  const roundMs = (minutes * 60_000) / ROUNDS;
  const world = await startServerWorld();
  closing.push(world.close);
  const { home, domain, sink, receiver, owner, address } = world;
  const server = await home.start();
  closing.push(() => server.end("SIGTERM"));
  const { client, inbox_id } = await world.onboard();
  const { id: webhook_id } = await client.webhooks.create({ url: receiver.url });

  const rests: Footprint[] = [];
  const problems: string[] = [];
  console.log(COLUMNS.map((column) => column.padStart(8)).join(" "));
  for (let round = 1; round <= ROUNDS; round++) {
    const target = {
      client: withRoundKeys(client, round),
      inbox_id,
      address,
      smtp_port: home.smtp_port,
      owner,
      domain: withRoundIds(domain, round),
      random: seeded(seed + round),
    };
    const load = startLoad(target, { mailers: 4, agents: 2 });
    await after(roundMs * LOAD_SHARE);
    await load.stop();
    await load.hangUp();
    const { mails, replies, refused } = load.promised;
    if (refused.length > 0) problems.push(`Round ${round}: ${refused[0]}`);
    const allSent = async () => {
      const waiting = await client.messages.list({
        inbox_id,
        direction: "outbound",
        limit: 200,
        view: "summary",
      });
      const deliveries = await client.webhooks.deliveries({ webhook_id, status: "pending", limit: 1 });
      return waiting.data.every(({ status }) => status === "sent") && deliveries.data.length === 0;
    };
    await until("everything to be sent", allSent, SETTLE_MS).catch((error: Error) =>
      problems.push(`Round ${round}: ${error.message}`),
    );
    sink.arrived.length = 0;
    receiver.delivered.length = 0;
    await after(roundMs * (1 - LOAD_SHARE));
    const rest = readFootprint(server.pid, home.data_dir);
    rests.push(rest);
    const cells = [round, mails.size, replies.size, rest.rss_mb, rest.handles, rest.threads, rest.wal_mb];
    console.log(cells.map((cell) => String(cell).padStart(8)).join(" "));
  }
  console.log(`  ${ROUNDS} rounds in ${duration(roundMs * ROUNDS)}`);
  return [...problems, ...findGrowth(rests)];
}

/** Every round's load numbers its mails and replies from one, so each round adds its own prefix. */
function withRoundKeys(client: Client, round: number): Client {
  const reply: Client["messages"]["reply"] = (input, options) =>
    client.messages.reply(input, { ...options, idempotencyKey: `${round}-${options?.idempotencyKey}` });
  return { ...client, messages: { ...client.messages, reply } };
}

function withRoundIds(domain: MailDomain, round: number): MailDomain {
  return {
    ...domain,
    sign: (mail) => domain.sign({ ...mail, message_id: mail.message_id.replace("<", `<${round}-`) }),
  };
}
