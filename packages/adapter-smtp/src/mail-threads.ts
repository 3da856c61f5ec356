import { availableParallelism } from "node:os";
import {
  createLoadGauge,
  type ReadingOptions,
  type ReadMail,
  type SenderAuth,
  type SenderFacts,
} from "@letterslot/core";
import { looksCostly } from "@letterslot/core/worker";
import type { CheckSettings } from "./check-sender.ts";
import { createLoneThreads } from "./lone-threads.ts";
import type { MailReader } from "./mail-thread.ts";
import { createSharedThread } from "./shared-thread.ts";

/** Costly mails that are read at a time. */
const DEFAULT_THREADS = 2;
/**
 * Longer than all look-ups that one mail may cause, so that a slow DNS is told apart from a hostile mail. Nor
 * does a mail wait longer.
 */
const DEFAULT_DEADLINE_MS = 15_000;

/** A thread that is at work for more of its time has better things to do than to read mail. */
const halfOfItsTime = { look_every_ms: 100, busy_share: 0.5 };

/** On a single core another thread only costs. */
const never = () => false;

/** How mail is shared out among threads. */
export interface MailThreadsOptions {
  /** Costly mails that are read at a time. */
  threads?: number;
  /** What reading one mail may take. */
  deadline_ms?: number;
  /** Whether the calling thread has better things to do than to read mail; by its load when absent. */
  busy?: () => boolean;
}

/**
 * Threads that read mail and check its sender in place of the calling one. Undefined: that one should do it
 * itself.
 */
export interface MailThreads {
  /** Reads a mail of which the calling thread has seen that its bodies are long. */
  readLong(raw: Uint8Array, options: ReadingOptions): Promise<ReadMail>;
  read(raw: Uint8Array, options: ReadingOptions): Promise<ReadMail> | undefined;
  check(mail: Parameters<SenderAuth["check"]>[0], settings: CheckSettings): Promise<SenderFacts> | undefined;
  close(): Promise<void>;
}

/**
 * Shares mail out: the calling thread reads it itself as long as it has the time, else one thread reads the
 * mail of all. What looks costly is read alone, in a thread that is ended at a deadline.
 */
export function createMailThreads(options: MailThreadsOptions = {}): MailThreads {
  const {
    threads = DEFAULT_THREADS,
    deadline_ms = DEFAULT_DEADLINE_MS,
    busy = availableParallelism() > 1 ? createLoadGauge(halfOfItsTime) : never,
  } = options;
  const alone = createLoneThreads({ threads, deadline_ms });
  const shared = createSharedThread({ deadline_ms, alone });

  function readerOf(raw: Uint8Array): MailReader | undefined {
    if (looksCostly(raw)) return alone;
    if (!busy()) return undefined;
    shared.start();
    return shared.isReady() ? shared : undefined;
  }

  return {
    readLong: (raw, how) => shared.read(raw, how),
    read: (raw, how) => readerOf(raw)?.read(raw, how),
    check: (mail, settings) => readerOf(mail.raw)?.check(mail, settings),
    async close() {
      await Promise.all([shared.close(), alone.close()]);
    },
  };
}
