import { Queue, type QueueOptions, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { RedisLink } from "./redis-link.ts";
import { within } from "./within.ts";

const NAME = "wake-ups";
/** Wake-ups closer together than this are one; they come at the later end, never early. */
const GRAIN_MS = 5;
/**
 * Nearer ones are never taken for one that Redis holds already: that one may be ringing now, before what the
 * new one tells of.
 */
const SAME_FROM_MS = 1_000;
/** BullMQ keeps a history of its events; nobody reads it. */
const EVENTS_KEPT = 100;
const CLOSE_WITHIN_MS = 500;

/** Wake-ups through Redis. Each reaches one of the processes that listen. */
export interface WakeUps {
  /** Says whether Redis has taken it. Never throws, and never takes longer than the link allows. */
  send(wake_at: Date): Promise<boolean>;
  listen(): void;
  deafen(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Wake-ups as jobs of BullMQ that are done by being heard: the work is in storage. BullMQ's queue and worker
 * live as long as Redis answers and are made anew afterwards, so that nothing of theirs hangs on a
 * connection, or on keys, that are gone.
 */
export function createWakeUps(link: RedisLink, heard: () => void): WakeUps {
  let queue: Queue | undefined;
  let worker: { close(): Promise<void> } | undefined;
  let listening = false;
  let closed = false;
  const pending = new Set<number>();
  let sending: Promise<boolean> | undefined;

  const open = () => {
    if (listening && !closed && link.isUp()) worker ??= startWorker(link, heard);
  };
  const shut = async () => {
    const [oldQueue, oldWorker] = [queue, worker];
    queue = undefined;
    worker = undefined;
    await Promise.all([
      oldWorker?.close(),
      oldQueue &&
        within(
          CLOSE_WITHIN_MS,
          oldQueue.close().catch(() => undefined),
        ),
    ]);
  };
  const unlisten = link.onChange((up) => (up ? open() : void shut()));

  /** One batch at a time; what comes meanwhile goes together in the next. */
  const flush = (): Promise<boolean> => {
    const times = [...pending];
    pending.clear();
    sending = undefined;
    return link.run((connection) => {
      queue ??= openQueue(link, connection);
      return queue.addBulk(times.map((time) => wakeUpJob(time, Date.now())));
    });
  };
  let last: Promise<boolean> = Promise.resolve(true);

  return {
    send(wake_at) {
      if (closed || !link.isUp()) return Promise.resolve(false);
      pending.add(Math.ceil(wake_at.getTime() / GRAIN_MS) * GRAIN_MS);
      sending ??= last = last.then(flush);
      return sending;
    },
    listen() {
      listening = true;
      open();
    },
    async deafen() {
      listening = false;
      const old = worker;
      worker = undefined;
      await old?.close();
    },
    async close() {
      closed = true;
      unlisten();
      await shut();
    },
  };
}

function wakeUpJob(time: number, now: number) {
  const delay = Math.max(0, time - now);
  const opts = { delay, removeOnComplete: true, removeOnFail: true };
  return { name: "wake", data: {}, opts: delay < SAME_FROM_MS ? opts : { ...opts, jobId: `at-${time}` } };
}

function openQueue(link: RedisLink, connection: Redis): Queue {
  const options: QueueOptions = {
    prefix: link.prefix,
    connection,
    streams: { events: { maxLen: EVENTS_KEPT } },
  };
  // The link's own probes tell of trouble; BullMQ repeats it here.
  return new Queue(NAME, options).on("error", () => undefined);
}

function startWorker(link: RedisLink, heard: () => void): { close(): Promise<void> } {
  const connection = link.another();
  const worker = new Worker(NAME, async () => heard(), {
    prefix: link.prefix,
    connection,
    runRetryDelay: 1_000,
  });
  worker.on("error", () => undefined);
  return {
    async close() {
      await within(
        CLOSE_WITHIN_MS,
        worker.close(true).catch(() => undefined),
      );
      connection.disconnect();
    },
  };
}
