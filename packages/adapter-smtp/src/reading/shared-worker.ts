import { type MailReader, startMailWorker, WorkerEnded, type WorkerHandle } from "./worker-handle.ts";

/** One worker thread that reads many messages at a time. */
export interface SharedWorker extends MailReader {
  /** Starts the worker, so that it is ready soon. */
  start(): void;
  /** Whether it can take mail without waiting for its start. */
  isReady(): boolean;
  close(): Promise<void>;
}

/**
 * Reads mail in one worker thread, started on demand and then kept: starting it takes longer than most mails. A worker that has mail but answers
 * nothing for `deadline_ms`, or runs out of memory, is terminated; its messages then go to `isolated`, so
 * that one message cannot affect the others. Messages that merely wait, as in a flood, stay.
 */
export function createSharedWorker({
  deadline_ms,
  isolated,
}: {
  deadline_ms: number;
  isolated: MailReader;
}): SharedWorker {
  let worker: WorkerHandle | undefined;
  let watchdog: NodeJS.Timeout | undefined;
  let closed = false;

  function runningWorker(): WorkerHandle {
    watchdog ??= setInterval(endIfSilent, deadline_ms / 2).unref();
    if (worker === undefined || worker.state() === "ended") worker = startMailWorker();
    return worker;
  }

  function endIfSilent(): void {
    const { idle, ms } = worker?.silence() ?? { idle: true, ms: 0 };
    if (!idle && ms > deadline_ms) void end();
  }

  async function end(): Promise<void> {
    const ending = worker;
    worker = undefined;
    clearInterval(watchdog);
    watchdog = undefined;
    await ending?.end();
  }

  async function readWithFallback<T>(read: (reader: MailReader) => Promise<T>): Promise<T> {
    if (closed) return read(isolated);
    const used = runningWorker();
    try {
      return await read(used);
    } catch (error) {
      if (!(error instanceof WorkerEnded)) throw error;
      if (worker === used) void end();
      return read(isolated);
    }
  }

  return {
    start() {
      if (!closed) runningWorker();
    },
    isReady: () => worker?.state() === "ready",
    read: (raw, options) => readWithFallback((reader) => reader.read(raw, options)),
    check: (mail, settings) => readWithFallback((reader) => reader.check(mail, settings)),
    async close() {
      closed = true;
      await end();
    },
  };
}
