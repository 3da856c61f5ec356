import { createServer } from "node:http";
import { setTimeout as after } from "node:timers/promises";
import { createMailPool, createMailSource, type PoolOptions, type SentMail } from "../mail/mails.ts";
import { listen } from "../measure/listen.ts";
import { serveCalls } from "../measure/program.ts";
import { openSession, type SmtpSession } from "./smtp-session.ts";

/** Time limit for the last deliveries of a round. */
const PATIENCE_MS = 3_000;
/** Time limit for draining the queue after a burst. */
const CAPACITY_PATIENCE_MS = 30_000;
/** More than the service takes in a second. */
const SIGNED_PER_SECOND = 1_000;
const began = new Map<string, number>();
let arrived: number[] = [];
let mails = createMailSource([]);
const sessions = new Map<number, SmtpSession[]>();

/** A mail client and the webhook's receiver, in one process so that they share a clock. */
export const calls = {
  /** Creates the mails and starts the receiver. */
  async prepare(options: PoolOptions) {
    const pool = await createMailPool(options);
    mails = createMailSource(pool.mails);
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const now = performance.now();
        response.writeHead(204).end();
        const id = /"message_id":"<(\w+)@/.exec(Buffer.concat(chunks).toString("latin1"))?.[1] ?? "";
        const start = began.get(id);
        began.delete(id);
        if (start !== undefined) arrived.push(now - start);
      });
    });
    return { zone: pool.zone, url: `${await listen(server)}/hook` };
  },
  /** Sends as fast as replies arrive, and waits for the deliveries. Returns the mails per second. */
  async capacity({ port, connections, ms }: { port: number; connections: number; ms: number }) {
    const open = await sessionsOf(port, connections);
    mails.prepare(Math.ceil((ms * SIGNED_PER_SECOND) / 1_000));
    arrived = [];
    let sent = 0;
    const start = performance.now();
    await Promise.all(
      open.map(async (session) => {
        for (; performance.now() - start < ms; sent++)
          await sendMail(session, mails.next(), performance.now());
      }),
    );
    const per_second = (sent * 1000) / (performance.now() - start);
    await collect(sent, performance.now() + CAPACITY_PATIENCE_MS);
    return { per_second, missing: sent - arrived.length };
  },
  /**
   * Sends mails at a constant rate, independent of the responses. Returns each mail's latency up to the
   * receiver, and how many did not arrive in time.
   */
  async run({
    port,
    per_second,
    connections,
    ms,
  }: {
    port: number;
    per_second: number;
    connections: number;
    ms: number;
  }) {
    const open = await sessionsOf(port, connections);
    arrived = [];
    const idle = [...open];
    const waiting: (() => void)[] = [];
    const total = Math.round((per_second * ms) / 1000);
    mails.prepare(total);
    const start = performance.now();
    const sending: Promise<void>[] = [];
    for (let number = 0; number < total; number++) {
      const wait = start + (number * 1000) / per_second - performance.now();
      if (wait > 1) await after(wait);
      sending.push(sendOne(start + (number * 1000) / per_second));
    }
    await Promise.all(sending);
    await collect(total, Math.max(performance.now(), start + ms) + PATIENCE_MS);
    return { latencies: arrived, done: arrived.length, missing: total - arrived.length, ms };

    /** Measures from when the mail was due, so that queueing before the server counts too. */
    async function sendOne(due: number): Promise<void> {
      if (idle.length === 0) await new Promise<void>((resolve) => void waiting.push(resolve));
      if (performance.now() > start + ms + PATIENCE_MS) {
        waiting.shift()?.();
        return;
      }
      const session = idle.pop() as SmtpSession;
      await sendMail(session, mails.next(), due);
      idle.push(session);
      waiting.shift()?.();
    }
  },
};

async function sessionsOf(port: number, connections: number): Promise<SmtpSession[]> {
  const open =
    sessions.get(port) ?? (await Promise.all(Array.from({ length: connections }, () => openSession(port))));
  sessions.set(port, open);
  return open;
}

/** Sends a mail whose latency counts from `since`. Throws if it is refused. */
async function sendMail(session: SmtpSession, mail: SentMail & { id: string }, since: number): Promise<void> {
  began.set(mail.id, since);
  const status = await session.send(mail);
  if (status !== 250) throw new Error(`a mail was refused, with ${status}`);
}

/** Waits until `count` deliveries have arrived, or until `end`; what comes later is not counted. */
async function collect(count: number, end: number): Promise<void> {
  while (arrived.length < count && performance.now() < end) await after(5);
  began.clear();
}

serveCalls(calls);
