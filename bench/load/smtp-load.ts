import { createMailPool, cycleMails, SENDER } from "../mail/mails.ts";
import { serveCalls } from "../measure/program.ts";
import { openSession, type SmtpSession } from "./smtp-session.ts";

/** Where to send mail, and for how long. */
export interface SmtpLoad {
  port: number;
  connections: number;
  ms: number;
}

let nextMail = cycleMails({ raws: [] });
let to = "";
const sessions = new Map<number, SmtpSession[]>();

/** A mail client with many connections. */
export const calls = {
  /** Creates the mails and returns their sender's DNS records. */
  async prepare(options: { bytes: number; to: string; seed: number; count: number }) {
    const pool = await createMailPool(options);
    nextMail = cycleMails(pool);
    to = options.to;
    return pool.zone;
  },
  /** Sends as fast as replies arrive. Returns how many mails were accepted, the other statuses, and latencies. */
  async run({ port, connections, ms }: SmtpLoad) {
    const open =
      sessions.get(port) ?? (await Promise.all(Array.from({ length: connections }, () => openSession(port))));
    sessions.set(port, open);
    const latencies: number[] = [];
    const refused: number[] = [];
    let bytes = 0;
    const began = performance.now();
    await Promise.all(
      open.map(async (session) => {
        while (performance.now() - began < ms) {
          const { raw } = nextMail();
          const start = performance.now();
          const status = await session.send({ from: SENDER.address, to, raw });
          if (status !== 250) {
            refused.push(status);
            if (status === 421) return;
            continue;
          }
          bytes += raw.length;
          latencies.push(performance.now() - start);
        }
      }),
    );
    return { done: latencies.length, refused, bytes, ms: performance.now() - began, latencies };
  },
};

serveCalls(calls);
