import { availableParallelism } from "node:os";
import { looksCostly } from "@letterslot/core/mail";
import { createEventLoopLoad, type ReadingOptions, type ReadMail } from "@letterslot/core/ports";
import { MADE_UP_MAIL, MADE_UP_SETTINGS } from "../sender/made-up-mail.ts";
import type { SenderCheckWorkers } from "../sender/sender-auth.ts";
import { clientNetwork } from "./client-network.ts";
import { createIsolatedWorkers } from "./isolated-workers.ts";
import { createSharedWorker } from "./shared-worker.ts";
import type { MailReader } from "./worker-handle.ts";

/** Isolated worker threads. */
const DEFAULT_THREADS = 2;
/**
 * Longer than all DNS lookups of one message together, so that slow DNS is not mistaken for hostile mail.
 * Also how long a message waits for a thread.
 */
const DEFAULT_DEADLINE_MS = 15_000;

/** Open tasks of one network in the shared worker; more would make everybody else's mail wait. */
const SHARED_PER_NETWORK = 8;

/** Above half utilisation, the calling thread leaves mail to a worker thread. */
const BUSY_THRESHOLD = { look_every_ms: 100, busy_share: 0.5 };

/** Options for spreading mail over worker threads. */
export interface MailWorkersOptions {
  /** Expensive messages that are read at a time. */
  threads?: number;
  /** Time limit for one message. */
  deadlineMs?: number;
  /** Whether the calling thread is too busy to parse mail. Default: judged by its event loop utilisation. */
  busy?: () => boolean;
}

/** Worker threads that read mail and check senders. */
export interface MailWorkers extends SenderCheckWorkers {
  /** Reads a message whose bodies turned out to be long. */
  readLong(raw: Uint8Array, options: ReadingOptions): Promise<ReadMail>;
  /** Undefined if the calling thread should read it. */
  read(raw: Uint8Array, options: ReadingOptions): Promise<ReadMail> | undefined;
  /**
   * Starts the thread that checks senders and lets it check and read a made-up mail, so that the first real one doesn't wait
   * for its code to be loaded and compiled: right after a start this thread is busy, and that one reads. Resolves once it
   * has, or has failed to.
   */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Decides where each message is read: on the calling thread while it has time, otherwise in one shared worker thread.
 * That worker also checks all senders, because loading the checks' code would hold the calling thread for long.
 * Expensive messages, and those with long bodies, are each read alone, in a worker that is terminated at the deadline;
 * so is mail of a network that has many open tasks in the shared worker.
 */
export function createMailWorkers(options: MailWorkersOptions = {}): MailWorkers {
  const {
    threads = DEFAULT_THREADS,
    deadlineMs: deadline_ms = DEFAULT_DEADLINE_MS,
    busy = createBusyCheck(),
  } = options;
  const isolated = createIsolatedWorkers({ threads, deadline_ms });
  const shared = createSharedWorker({ deadline_ms, isolated });
  const open_by_network = new Map<string, number>();

  function isWorkersTurn(): boolean {
    if (!busy()) return false;
    shared.start();
    return shared.isReady();
  }

  function inWorker<T>(
    raw: Uint8Array,
    client_ip: string | null,
    task: (reader: MailReader) => Promise<T>,
  ): Promise<T> {
    if (looksCostly(raw)) return task(isolated);
    const network = clientNetwork(client_ip);
    if (network === null) return task(shared);
    const open = open_by_network.get(network) ?? 0;
    if (open >= SHARED_PER_NETWORK) return task(isolated);
    open_by_network.set(network, open + 1);
    return task(shared).finally(() => {
      const left = (open_by_network.get(network) ?? 1) - 1;
      if (left > 0) open_by_network.set(network, left);
      else open_by_network.delete(network);
    });
  }

  return {
    readLong: (raw, how) => isolated.read(raw, how),
    read: (raw, how) =>
      looksCostly(raw) || isWorkersTurn()
        ? inWorker(raw, how.clientIp ?? null, (reader) => reader.read(raw, how))
        : undefined,
    check: (mail, settings) =>
      inWorker(mail.raw, mail.envelope.client_ip, (reader) => reader.check(mail, settings)),
    async start() {
      const { raw } = MADE_UP_MAIL;
      // Whatever is wrong with the thread shows with the first real mail.
      await Promise.allSettled([
        shared.check(MADE_UP_MAIL, MADE_UP_SETTINGS),
        shared.read(raw, { screeningTimeoutMs: MADE_UP_SETTINGS.timeoutMs }),
      ]);
    },
    async close() {
      await Promise.all([shared.close(), isolated.close()]);
    },
  };
}

function createBusyCheck(): () => boolean {
  // On a single core another thread only costs.
  return availableParallelism() > 1 ? createEventLoopLoad(BUSY_THRESHOLD) : () => false;
}
