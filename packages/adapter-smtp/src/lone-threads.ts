import { fail } from "@letterslot/core";
import { type MailReader, type MailThread, startMailThread, ThreadEnded } from "./mail-thread.ts";
import { createTurns } from "./turns.ts";

/** How long a thread without mail is kept. */
const IDLE_MS = 30_000;
/**
 * With less than this share of its deadline on a processor, a thread was starved, or waited for the DNS: that
 * is not the mail's fault.
 */
const FAIR_SHARE = 0.25;
/** Costly mails that wait for a thread; more are put off, as the sender can come again. */
export const MAX_QUEUE = 200;

/** Threads that read one mail each. */
export interface LoneThreads extends MailReader {
  close(): Promise<void>;
}

/** How many threads there are, how long a mail may be with one, and what starts one. */
interface LoneThreadsOptions {
  threads: number;
  deadline_ms: number;
  start?: () => MailThread;
}

/**
 * Reads mail one by one in up to `threads` threads, which start when they are needed and end when they are
 * idle. A task that has been with its thread for `deadline_ms` has its thread ended and fails with
 * `mail_too_complex`; one that got no thread within that time, whose thread didn't start, hardly got a
 * processor, or was ended by `close`, with `storage_unavailable`.
 */
export function createLoneThreads({
  threads,
  deadline_ms,
  start = startMailThread,
}: LoneThreadsOptions): LoneThreads {
  const takeTurn = createTurns({ at_once: threads, waiting: MAX_QUEUE, wait_ms: deadline_ms });
  const working = new Set<MailThread>();
  const idle = new Map<MailThread, NodeJS.Timeout>();
  let closing = false;

  function take(): MailThread {
    const thread = [...idle.keys()].find((one) => one.state() !== "ended") ?? start();
    clearTimeout(idle.get(thread));
    idle.delete(thread);
    working.add(thread);
    return thread;
  }

  function giveBack(thread: MailThread): void {
    working.delete(thread);
    if (closing || thread.state() === "ended") return;
    const endOfIdleness = () => {
      idle.delete(thread);
      void thread.end();
    };
    idle.set(thread, setTimeout(endOfIdleness, IDLE_MS).unref());
  }

  async function alone<T>(read: (reader: MailReader) => Promise<T>): Promise<T> {
    const endTurn = await takeTurn();
    try {
      if (closing) throw fail("storage_unavailable");
      return await within(take(), read);
    } finally {
      endTurn();
    }
  }

  async function within<T>(thread: MailThread, read: (reader: MailReader) => Promise<T>): Promise<T> {
    const deadline = endAt(thread, deadline_ms);
    try {
      return await read(thread);
    } catch (cause) {
      if (!(cause instanceof ThreadEnded)) throw cause;
      throw fail(closing || deadline.starved() ? "storage_unavailable" : "mail_too_complex", { cause });
    } finally {
      deadline.cancel();
      giveBack(thread);
    }
  }

  return {
    read: (raw, options) => alone((reader) => reader.read(raw, options)),
    check: (mail, settings) => alone((reader) => reader.check(mail, settings)),
    async close() {
      closing = true;
      for (const timer of idle.values()) clearTimeout(timer);
      await Promise.all([...working, ...idle.keys()].map((thread) => thread.end()));
    },
  };
}

/** Ends the thread when so much time has gone by since it was ready, unless that is cancelled before. */
function endAt(thread: MailThread, deadline_ms: number): { starved(): boolean; cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  // What has not started has had nothing.
  let starved = true;
  let cancelled = false;
  thread.onStart(() => {
    starved = false;
    if (cancelled) return;
    const before = thread.processorTime();
    const end = async () => {
      const [had, has] = await Promise.all([before, thread.processorTime()]);
      if (cancelled) return;
      starved = wasStarved(had, has, deadline_ms);
      void thread.end();
    };
    timer = setTimeout(() => void end(), deadline_ms);
  });
  return {
    starved: () => starved,
    cancel() {
      cancelled = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Whether a thread hardly had a processor while so many milliseconds went by; what isn't known speaks for no.
 */
export function wasStarved(
  had_ms: number | undefined,
  has_ms: number | undefined,
  passed_ms: number,
): boolean {
  return had_ms !== undefined && has_ms !== undefined && has_ms - had_ms < passed_ms * FAIR_SHARE;
}
