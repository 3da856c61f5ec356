import { setTimeout as after } from "node:timers/promises";
import { type Client, createClient } from "@letterslot/client";
import { startDnsServer } from "../packages/adapter-smtp/test/dns-server.ts";
import { startLoad } from "../test/support/crash-load.ts";
import { type Footprint, footprintOf, growthIn } from "../test/support/footprint.ts";
import { mailDomain } from "../test/support/mail-domain.ts";
import { seeded } from "../test/support/seeded.ts";
import { serverHome } from "../test/support/server-process.ts";
import { startSmtpSink } from "../test/support/smtp.ts";
import { until } from "../test/support/until.ts";
import { startWebhookReceiver } from "../test/support/webhook-receiver.ts";
import { duration } from "./terminal.ts";

const owner = "mara@family.example.com";
const rounds = 6;
/** Of a round; the rest of it nothing is asked of the server. */
const loadShare = 0.7;
const settleMs = 60_000;
const seed = 20_261_120;
const columns = ["round", "mails", "replies", "RSS MB", "handles", "threads", "WAL MB"];

/**
 * Puts a real server under rounds of load (mail, replies, webhooks, streams, attachment text) with rests between them, and answers
 * what didn't come back: memory, handles, threads, the database's log, and mail and events that are still waiting to leave.
 */
export async function soakMemory(minutes: number): Promise<string[]> {
  const closing: (() => unknown)[] = [];
  try {
    return await soak(minutes, closing);
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

async function soak(minutes: number, closing: (() => unknown)[]): Promise<string[]> {
  const roundMs = (minutes * 60_000) / rounds;
  const domain = mailDomain("family.example.com");
  const dns = await startDnsServer(domain.zone);
  const sink = await startSmtpSink();
  const receiver = await startWebhookReceiver();
  const home = await serverHome({
    MAIL_DOMAIN: "agents.example.org",
    DNS_SERVER: dns.server,
    SMTP_URL: sink.url,
    WEBHOOK_ALLOW: "127.0.0.0/8",
  });
  closing.push(() => home.remove(), dns.close, sink.close, receiver.close);
  const server = await home.start();
  closing.push(() => server.end("SIGTERM"));
  const { base_url, smtp_port } = home;
  const { api_key, inbox } = await createClient({ base_url }).accounts.onboard({ username: "ada", owner_email: owner });
  const inbox_id = inbox.id;
  const client = createClient({ base_url, api_key, retries: 0, timeout_ms: 10_000 });
  const letter = await until("the letter with the code", () => sink.arrived[0]);
  const owner_id = (await client.owners.list({ inbox_id })).data[0]?.id ?? "";
  await client.owners.confirm({ inbox_id, owner_id, code: /\b\d{6}\b/.exec(letter.text)?.[0] ?? "" });
  const { id: webhook_id } = await client.webhooks.create({ url: receiver.url });

  const rests: Footprint[] = [];
  const troubles: string[] = [];
  console.log(columns.map((column) => column.padStart(8)).join(" "));
  for (let round = 1; round <= rounds; round++) {
    const target = {
      client: keyed(client, round),
      inbox_id,
      address: inbox.email,
      smtp_port,
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
      const waiting = await client.messages.list({ inbox_id, direction: "outbound", limit: 200, view: "summary" });
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

/** The load numbers its mails and its replies from one each time, so each round gives them names of its own. */
function keyed(client: Client, round: number): Client {
  const reply: Client["messages"]["reply"] = (input, options) =>
    client.messages.reply(input, { ...options, idempotency_key: `${round}-${options?.idempotency_key}` });
  return { ...client, messages: { ...client.messages, reply } };
}

function renamed(domain: ReturnType<typeof mailDomain>, round: number): ReturnType<typeof mailDomain> {
  return { ...domain, sign: (mail) => domain.sign({ ...mail, message_id: mail.message_id.replace("<", `<${round}-`) }) };
}
