import { type MailReader, type MailThread, startMailThread, ThreadEnded } from "./mail-thread.ts";

/** How long a thread without mail is kept. */
const IDLE_MS = 30_000;

/** One thread that reads the mail of all. */
export interface SharedThread extends MailReader {
  /** Starts it, so that it is ready soon. */
  start(): void;
  /** Whether it can be asked without waiting for its start. */
  isReady(): boolean;
  close(): Promise<void>;
}

/**
 * Reads mail in one thread, which starts when it is first needed and ends when it is idle. It is ended, too,
 * when it has mail and answers nothing for `deadline_ms`, or runs out of memory: what it had then is given to
 * `alone`, so that one mail can't spoil it for others. Mail that only waits its turn, as in a flood, stays in
 * it.
 */
export function createSharedThread({
  deadline_ms,
  alone,
}: {
  deadline_ms: number;
  alone: MailReader;
}): SharedThread {
  let thread: MailThread | undefined;
  let watch: NodeJS.Timeout | undefined;
  let closed = false;

  function current(): MailThread {
    watch ??= setInterval(lookAfter, deadline_ms / 2).unref();
    if (thread === undefined || thread.state() === "ended") thread = startMailThread();
    return thread;
  }

  function lookAfter(): void {
    const { idle, ms } = thread?.silence() ?? { idle: true, ms: 0 };
    if (ms > (idle ? IDLE_MS : deadline_ms)) void end();
  }

  async function end(): Promise<void> {
    const ending = thread;
    thread = undefined;
    clearInterval(watch);
    watch = undefined;
    await ending?.end();
  }

  async function orAlone<T>(read: (reader: MailReader) => Promise<T>): Promise<T> {
    if (closed) return read(alone);
    const asked = current();
    try {
      return await read(asked);
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      if (thread === asked) void end();
      return read(alone);
    }
  }

  return {
    start() {
      if (!closed) current();
    },
    isReady: () => thread?.state() === "ready",
    read: (raw, options) => orAlone((reader) => reader.read(raw, options)),
    check: (mail, settings) => orAlone((reader) => reader.check(mail, settings)),
    async close() {
      closed = true;
      await end();
    },
  };
}
