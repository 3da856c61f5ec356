import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { mailPool, mailsInTurn, sender } from "../mail/mails.ts";
import { answerCalls } from "../measure/program.ts";
import { openSession, type SmtpSession } from "./smtp-session.ts";

/** How long the last mails of a round may be under way. */
const patienceMs = 3_000;
const began = new Map<string, number>();
let arrived: number[] = [];
let nextMail = mailsInTurn({ raws: [] });
let to = "";
const sessions = new Map<number, SmtpSession[]>();

/**
 * The calls of this program: a mail client and the receiver of the webhook, in one process since they share a
 * clock.
 */
export const calls = {
  /** Makes the mails and starts the receiver. */
  async prepare(options: { bytes: number; to: string; seed: number; count: number }) {
    const pool = await mailPool(options);
    nextMail = mailsInTurn(pool);
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
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return { zone: pool.zone, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
  },
  /**
   * Sends mails at an even rate, whatever the answers do; answers how long each took to the receiver, and how
   * many did not come in time.
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
    const end = Math.max(performance.now(), start + ms) + patienceMs;
    while (arrived.length < total && performance.now() < end) await after(5);
    began.clear();
    return { latencies: arrived, done: arrived.length, missing: total - arrived.length, ms };

    /** Counts from when the mail was due, so that a queue before the server counts too. */
    async function sendOne(due: number): Promise<void> {
      if (idle.length === 0) await new Promise<void>((resolve) => void waiting.push(resolve));
      if (performance.now() > start + ms + patienceMs) {
        waiting.shift()?.();
        return;
      }
      const session = idle.pop() as SmtpSession;
      const { id, raw } = nextMail();
      began.set(id, due);
      await session.send({ from: sender.address, to, raw });
      idle.push(session);
      waiting.shift()?.();
    }
  },
};

answerCalls(calls);
