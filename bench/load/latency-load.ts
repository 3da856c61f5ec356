import { createServer } from "node:http";
import { setTimeout as after } from "node:timers/promises";
import { createMailPool, cycleMails, SENDER } from "../mail/mails.ts";
import { listen } from "../measure/listen.ts";
import { serveCalls } from "../measure/program.ts";
import { openSession, type SmtpSession } from "./smtp-session.ts";

/** How long to wait for the last deliveries of a round. */
const PATIENCE_MS = 3_000;
const began = new Map<string, number>();
let arrived: number[] = [];
let nextMail = cycleMails({ raws: [] });
let to = "";
const sessions = new Map<number, SmtpSession[]>();

/** A mail client and the webhook's receiver, in one process so that they share a clock. */
export const calls = {
  /** Creates the mails and starts the receiver. */
  async prepare(options: { bytes: number; to: string; seed: number; count: number }) {
    const pool = await createMailPool(options);
    nextMail = cycleMails(pool);
    to = options.to;
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
    const open =
      sessions.get(port) ?? (await Promise.all(Array.from({ length: connections }, () => openSession(port))));
    sessions.set(port, open);
    arrived = [];
    const idle = [...open];
    const waiting: (() => void)[] = [];
    const start = performance.now();
    const total = Math.round((per_second * ms) / 1000);
    const sending: Promise<void>[] = [];
    for (let number = 0; number < total; number++) {
      const wait = start + (number * 1000) / per_second - performance.now();
      if (wait > 1) await after(wait);
      sending.push(sendOne(start + (number * 1000) / per_second));
    }
    await Promise.all(sending);
    const end = Math.max(performance.now(), start + ms) + PATIENCE_MS;
    while (arrived.length < total && performance.now() < end) await after(5);
    began.clear();
    return { latencies: arrived, done: arrived.length, missing: total - arrived.length, ms };

    /** Measures from when the mail was due, so that queueing before the server counts too. */
    async function sendOne(due: number): Promise<void> {
      if (idle.length === 0) await new Promise<void>((resolve) => void waiting.push(resolve));
      if (performance.now() > start + ms + PATIENCE_MS) {
        waiting.shift()?.();
        return;
      }
      const session = idle.pop() as SmtpSession;
      const { id, raw } = nextMail();
      began.set(id, due);
      await session.send({ from: SENDER.address, to, raw });
      idle.push(session);
      waiting.shift()?.();
    }
  },
};

serveCalls(calls);
