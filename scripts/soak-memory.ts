import { setTimeout as after } from "node:timers/promises";
import type { Client } from "@letterslot/client";
import { startLoad } from "../test/support/crash-load.ts";
import { type Footprint, footprintOf, growthIn } from "../test/support/footprint.ts";
import type { MailDomain } from "../test/support/mail-domain.ts";
import { seeded } from "../test/support/seeded.ts";
import { startServerWorld } from "../test/support/server-world.ts";
import { until } from "../test/support/until.ts";
import { duration } from "./terminal.ts";

const rounds = 6;
/** Of a round; the rest of it nothing is asked of the server. */
const loadShare = 0.7;
const settleMs = 60_000;
const columns = ["round", "mails", "replies", "RSS MB", "handles", "threads", "WAL MB"];

/**
 * Puts a real server under rounds of load (mail, replies, webhooks, streams, attachment text) with rests
 * between them, and answers what didn't come back: memory, handles, threads, the database's log, and mail and
 * events that are still waiting to leave.
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
  const roundMs = (minutes * 60_000) / rounds;
  const world = await startServerWorld();
  closing.push(world.close);
  const { home, domain, sink, receiver, owner, address } = world;
  const server = await home.start();
  closing.push(() => server.end("SIGTERM"));
  const { client, inbox_id } = await world.onboard();
  const { id: webhook_id } = await client.webhooks.create({ url: receiver.url });

  const rests: Footprint[] = [];
  const troubles: string[] = [];
  console.log(columns.map((column) => column.padStart(8)).join(" "));
  for (let round = 1; round <= rounds; round++) {
    const target = {
      client: keyed(client, round),
      inbox_id,
      address,
      smtp_port: home.smtp_port,
      owner,
      domain: renamed(domain, round),
      random: seeded(seed + round),
    };
    const load = startLoad(target, { mailers: 4, agents: 2 });
    await after(roundMs * loadShare);
    await load.stop();
    await load.hangUp();
    const { mails, replies, refused } = load.promised;
    if (refused.length > 0) troubles.push(`Round ${round}: ${refused[0]}`);
    const leave = async () => {
      const waiting = await client.messages.list({
        inbox_id,
        direction: "outbound",
        limit: 200,
        view: "summary",
      });
      const deliveries = await client.webhooks.deliveries({ webhook_id, status: "pending", limit: 1 });
      return waiting.data.every(({ status }) => status === "sent") && deliveries.data.length === 0;
    };
    await until("everything to leave", leave, settleMs).catch((error: Error) =>
      troubles.push(`Round ${round}: ${error.message}`),
    );
    sink.arrived.length = 0;
    receiver.delivered.length = 0;
    await after(roundMs * (1 - loadShare));
    const rest = footprintOf(server.pid, home.data_dir);
    rests.push(rest);
    const cells = [round, mails.size, replies.size, rest.rss_mb, rest.handles, rest.threads, rest.wal_mb];
    console.log(cells.map((cell) => String(cell).padStart(8)).join(" "));
  }
  console.log(`  ${rounds} rounds in ${duration(roundMs * rounds)}`);
  return [...troubles, ...growthIn(rests)];
}

/**
 * The load numbers its mails and its replies from one each time, so each round gives them names of its own.
 */
function keyed(client: Client, round: number): Client {
  const reply: Client["messages"]["reply"] = (input, options) =>
    client.messages.reply(input, { ...options, idempotency_key: `${round}-${options?.idempotency_key}` });
  return { ...client, messages: { ...client.messages, reply } };
}

function renamed(domain: MailDomain, round: number): MailDomain {
  return {
    ...domain,
    sign: (mail) => domain.sign({ ...mail, message_id: mail.message_id.replace("<", `<${round}-`) }),
  };
}
