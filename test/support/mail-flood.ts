import { parentPort, workerData } from "node:worker_threads";
import { sendRaw, toData } from "./raw-smtp.ts";

/** A flood for a worker thread: each sender sends its mails one after the other. */
export interface Flood {
  port: number;
  to: string;
  head: string;
  /** Bodies are made of repeated pieces; `type` is that of text. */
  senders: { from_ip: string; mails: { type: string; piece: string; bytes: number }[] }[];
}

let numbered = 0;

/** Sends the flood, and posts the status of every mail. */
async function flood({ port, to, head, senders }: Flood): Promise<void> {
  const statuses = await Promise.all(
    senders.map(async ({ from_ip, mails }) => {
      const replies: number[] = [];
      for (const { type, piece, bytes } of mails) {
        const fields = `${head}X-Number: ${++numbered}\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n`;
        const data = toData(fields + piece.repeat(bytes / piece.length));
        replies.push((await sendRaw({ port, from_ip, to, data })).status);
      }
      return replies;
    }),
  );
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(statuses.flat());
}

void flood(workerData as Flood);
