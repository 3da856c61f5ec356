import { createSecretKey } from "node:crypto";
import { Queue, Worker } from "bullmq";
import { Pool } from "undici";
import { signatureHeaders, standardKey } from "../../packages/core/src/events/webhooks/signing.ts";
import { eventData } from "../mail/event-data.ts";
import { startCpuTimer } from "../measure/process-cost.ts";
import { serveCalls } from "../measure/program.ts";

const PER_BATCH = 100;
const CONCURRENCY = 50;
const NAME = "deliveries";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const keys = [{ own: createSecretKey(SECRET, "utf8"), standard: createSecretKey(standardKey(SECRET)) }];
let pool: Pool | undefined;
let queue: Queue | undefined;
let connection: { url: string } | undefined;

/** BullMQ doing the same job, with its queue in Redis. */
export const calls = {
  open({ redis_url, url }: { redis_url: string; url: string }) {
    connection = { url: redis_url };
    queue = new Queue(NAME, { connection });
    pool = new Pool(new URL(url).origin, { connections: CONCURRENCY });
  },
  /** Adds about `count` deliveries, each with its event's body. Returns how many. */
  async fill(count: number) {
    let done = 0;
    for (; done < count; done += PER_BATCH) {
      const jobs = Array.from({ length: PER_BATCH }, (_, each) => ({
        name: NAME,
        data: eventData(done + each),
        opts: { attempts: 8, removeOnComplete: true },
      }));
      await queue?.addBulk(jobs);
    }
    return done;
  },
  /**
   * Delivers queued events for up to `most_ms`, or until none is left. Returns the deliveries that Redis has recorded.
   */
  async deliver(most_ms: number) {
    if (connection === undefined || queue === undefined) throw new Error("open first");
    const left = await queue.getWaitingCount();
    if (left === 0) return { done: 0, ms: 0, cpu_us: 0 };
    const cpu = startCpuTimer();
    const began = performance.now();
    const worker = new Worker(NAME, ({ id = "", data }) => deliver(id, data), {
      connection,
      concurrency: CONCURRENCY,
    });
    let done = 0;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve, reject) => {
      worker.on("completed", () => {
        done++;
        if (done === left) resolve();
      });
      worker.on("failed", (_, error) => reject(error));
      timer = setTimeout(resolve, most_ms);
    });
    clearTimeout(timer);
    const round = { done, ms: performance.now() - began, cpu_us: cpu() };
    await worker.close();
    return round;
  },
  /** The number of waiting jobs. */
  waiting: () => queue?.getWaitingCount() ?? 0,
};

async function deliver(id: string, data: Record<string, unknown>): Promise<void> {
  const timestamp = Math.floor(Date.now() / 1000);
  const body = Buffer.from(JSON.stringify({ id, type: "message.received", data }));
  const signed = signatureHeaders(keys, {
    delivery_id: id,
    event_id: id,
    event_type: "message.received",
    timestamp,
    body,
  });
  const answer = await pool?.request({
    path: "/hook",
    method: "POST",
    headers: { "content-type": "application/json", ...signed },
    body,
  });
  await answer?.body.dump();
  if (answer?.statusCode !== 204) throw new Error(`the receiver answered ${answer?.statusCode}`);
}

serveCalls(calls);
