import { createMailPool, createMailSource, type PoolOptions } from "../mail/mails.ts";
import { serveCalls } from "../measure/program.ts";
import { openSession } from "./smtp-session.ts";

/** The server that mail is sent to, and the duration of the load. */
export interface SmtpLoad {
  /** With several, the connections are spread evenly over them. */
  port: number | readonly number[];
  connections: number;
  ms: number;
  /** Ends earlier, after this many mails. */
  count?: number;
}

/** More than any receiver takes in a second. */
const SIGNED_PER_SECOND = 2_500;

let mails = createMailSource([]);

/** A mail client with many connections. */
export const calls = {
  /** Creates the mails and returns their senders' DNS records. */
  async prepare(options: PoolOptions) {
    const pool = await createMailPool(options);
    mails = createMailSource(pool.mails);
    return pool.zone;
  },
  /** Sends as fast as replies arrive. Returns how many mails were accepted, the other statuses, and latencies. */
  async run({ port, connections, ms, count = Number.POSITIVE_INFINITY }: SmtpLoad) {
    const ports = [port].flat();
    const numbers = Array.from({ length: connections }, (_, index) => ports[index % ports.length] ?? 0);
    const open = await Promise.all(numbers.map(openSession));
    mails.prepare(Math.min(count, Math.ceil((ms * SIGNED_PER_SECOND) / 1_000)));
    const latencies: number[] = [];
    const refused: number[] = [];
    let bytes = 0;
    let left = count;
    const began = performance.now();
    await Promise.all(
      open.map(async (session) => {
        while (performance.now() - began < ms && left > 0) {
          left--;
          const mail = mails.next();
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
    const took = performance.now() - began;
    for (const session of open) session.close();
    return { done: latencies.length, refused, bytes, ms: took, latencies };
  },
};

serveCalls(calls);
