import { withTimeout } from "@letterslot/node-kit";
import { Queue, type QueueOptions, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { RedisLink } from "./redis-link.ts";

const NAME = "wake-ups";
/** Wake-ups are rounded up to multiples of this, and coalesced. They are never early. */
const GRANULARITY_MS = 5;
/**
 * Nearer wake-ups are not deduplicated: the one in Redis may be running already, too early for the new job.
 */
const DEDUPE_FROM_MS = 1_000;
/** Length of BullMQ's event history, which nothing reads. */
const MAX_EVENTS = 100;
const CLOSE_TIMEOUT_MS = 500;

/** Wake-ups through Redis. Each reaches one of the listening processes. */
export interface WakeUps {
  /** Whether Redis accepted it. Never throws, and never takes longer than the link allows. */
  send(wake_at: Date): Promise<boolean>;
  listen(): void;
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Sends wake-ups as empty BullMQ jobs; the work itself is in storage. BullMQ's queue and worker are recreated
 * after each outage, so that they never depend on a lost connection or lost keys.
 */
export function createWakeUps(link: RedisLink, onWakeUp: () => void): WakeUps {
  let queue: Queue | undefined;
  let worker: { close(): Promise<void> } | undefined;
  let listening = false;
  let closed = false;
  const pending = new Set<number>();
  let sending: Promise<boolean> | undefined;

  const open = () => {
    if (listening && !closed && link.isUp()) worker ??= startWorker(link, onWakeUp);
  };
  const closeBoth = async () => {
    const [oldQueue, oldWorker] = [queue, worker];
    queue = undefined;
    worker = undefined;
    await Promise.all([
      oldWorker?.close(),
      oldQueue &&
        withTimeout(
          CLOSE_TIMEOUT_MS,
          oldQueue.close().catch(() => undefined),
        ),
    ]);
  };
  const unlisten = link.onChange((up) => (up ? open() : void closeBoth()));

  /** Sends one batch at a time; wake-ups that arrive meanwhile join the next. */
  const flush = (): Promise<boolean> => {
    const times = [...pending];
    pending.clear();
    sending = undefined;
    return link.run((connection) => {
      queue ??= openQueue(link, connection);
      return queue.addBulk(times.map((time) => wakeUpJob(time, Date.now())));
    });
  };
  let last_batch: Promise<boolean> = Promise.resolve(true);

  return {
    send(wake_at) {
      if (closed || !link.isUp()) return Promise.resolve(false);
      pending.add(Math.ceil(wake_at.getTime() / GRANULARITY_MS) * GRANULARITY_MS);
      sending ??= last_batch = last_batch.then(flush);
      return sending;
    },
    listen() {
      listening = true;
      open();
    },
    async stopListening() {
      listening = false;
      const old = worker;
      worker = undefined;
      await old?.close();
    },
    async close() {
      closed = true;
      unlisten();
      await closeBoth();
    },
  };
}

function wakeUpJob(time: number, now: number) {
  const delay = Math.max(0, time - now);
  const opts = { delay, removeOnComplete: true, removeOnFail: true };
  return { name: "wake", data: {}, opts: delay < DEDUPE_FROM_MS ? opts : { ...opts, jobId: `at-${time}` } };
}

function openQueue(link: RedisLink, connection: Redis): Queue {
  const options: QueueOptions = {
    prefix: link.prefix,
    connection,
    streams: { events: { maxLen: MAX_EVENTS } },
  };
  // The link's probes already report errors.
  return new Queue(NAME, options).on("error", () => undefined);
}

function startWorker(link: RedisLink, onWakeUp: () => void): { close(): Promise<void> } {
  const connection = link.duplicate();
  const worker = new Worker(NAME, async () => onWakeUp(), {
    prefix: link.prefix,
    connection,
    runRetryDelay: 1_000,
  });
  worker.on("error", () => undefined);
  return {
    async close() {
      await withTimeout(
        CLOSE_TIMEOUT_MS,
        worker.close(true).catch(() => undefined),
      );
      connection.disconnect();
    },
  };
}
