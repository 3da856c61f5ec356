import { mailPool, mailsInTurn, sender } from "../mail/mails.ts";
import { answerCalls } from "../measure/program.ts";
import { openSession, type SmtpSession } from "./smtp-session.ts";

/** Where to send, and how long. */
export interface SmtpLoad {
  port: number;
  connections: number;
  ms: number;
}

let nextMail = mailsInTurn({ raws: [] });
let to = "";
const sessions = new Map<number, SmtpSession[]>();

/** The calls of this program: a mail client with many connections. */
export const calls = {
  /** Makes the mails; answers the DNS records of their sender. */
  async prepare(options: { bytes: number; to: string; seed: number; count: number }) {
    const pool = await mailPool(options);
    nextMail = mailsInTurn(pool);
    to = options.to;
    return pool.zone;
  },
  /**
   * Sends as fast as the answers come; answers how many were acknowledged, how many not, and how long each
   * took.
   */
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
          const status = await session.send({ from: sender.address, to, raw });
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

answerCalls(calls);
