import { createMailPool, cycleMails, type PoolOptions } from "../mail/mails.ts";
import { serveCalls } from "../measure/program.ts";
import { openSession, type SmtpSession } from "./smtp-session.ts";

/** Where to send mail, and for how long. */
export interface SmtpLoad {
  port: number;
  connections: number;
  ms: number;
  /** Ends earlier, after this many mails. */
  count?: number;
}

let nextMail = cycleMails([]);
const sessions = new Map<number, SmtpSession[]>();

/** A mail client with many connections. */
export const calls = {
  /** Creates the mails and returns their senders' DNS records. */
  async prepare(options: PoolOptions) {
    const pool = await createMailPool(options);
    nextMail = cycleMails(pool.mails);
    return pool.zone;
  },
  /** Sends as fast as replies arrive. Returns how many mails were accepted, the other statuses, and latencies. */
  async run({ port, connections, ms, count = Number.POSITIVE_INFINITY }: SmtpLoad) {
    const open =
      sessions.get(port) ?? (await Promise.all(Array.from({ length: connections }, () => openSession(port))));
    sessions.set(port, open);
    const latencies: number[] = [];
    const refused: number[] = [];
    let bytes = 0;
    let left = count;
    const began = performance.now();
    await Promise.all(
      open.map(async (session) => {
        while (performance.now() - began < ms && left > 0) {
          left--;
          const mail = nextMail();
          const start = performance.now();
          const status = await session.send(mail);
          if (status !== 250) {
            refused.push(status);
            if (status === 421) return;
            continue;
          }
          bytes += mail.raw.length;
          latencies.push(performance.now() - start);
        }
      }),
    );
    return { done: latencies.length, refused, bytes, ms: performance.now() - began, latencies };
  },
};

serveCalls(calls);
