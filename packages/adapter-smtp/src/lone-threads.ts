import { fail } from "@letterslot/core";
import { type MailReader, type MailThread, startMailThread, ThreadEnded } from "./mail-thread.ts";
import { createTurns } from "./turns.ts";

/** How long a thread without mail is kept. */
const IDLE_MS = 30_000;
/** Costly mails that wait for a thread; more are put off, as the sender can come again. */
export const MAX_QUEUE = 200;

/** Threads that read one mail each. */
export interface LoneThreads extends MailReader {
  close(): Promise<void>;
}

/**
 * Reads mail one by one in up to `threads` threads, which start when they are needed and end when they are idle. A task that has been
 * with its thread for `deadline_ms` has its thread ended and fails with `mail_too_complex`; one that got no thread within that time, or whose thread was
 * ended by `close`, with `storage_unavailable`.
 */
export function createLoneThreads({ threads, deadline_ms }: { threads: number; deadline_ms: number }): LoneThreads {
  const takeTurn = createTurns({ at_once: threads, waiting: MAX_QUEUE, wait_ms: deadline_ms });
  const working = new Set<MailThread>();
  const idle = new Map<MailThread, NodeJS.Timeout>();
  let closing = false;

  function take(): MailThread {
    const [[thread, timer] = [startMailThread(), undefined]] = idle;
    clearTimeout(timer);
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
    if (closing) throw fail("storage_unavailable");
    const thread = take();
    let deadline: NodeJS.Timeout | undefined;
    try {
      const done = read(thread);
      thread.onStart(() => {
        deadline = setTimeout(() => void thread.end(), deadline_ms);
      });
      return await done;
    } catch (cause) {
      if (!(cause instanceof ThreadEnded)) throw cause;
      throw fail(closing ? "storage_unavailable" : "mail_too_complex", { cause });
    } finally {
      clearTimeout(deadline);
      giveBack(thread);
      endTurn();
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
