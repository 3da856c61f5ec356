import { setTimeout as pause } from "node:timers/promises";

/** The number of attempts for the last commit at the end, and the delay between them. */
const LAST_ATTEMPTS = 3;
const LAST_RETRY_MS = 300;

/**
 * Commits a consumer's cursor, one at a time and always the newest: after a failure, such as while the server is down,
 * the next commit covers the missed one. Only accepted events may be added.
 */
export function createCommits(commit: (cursor: string) => Promise<unknown>): {
  add(cursor: string): void;
  /** Commits the rest; gives up after a few attempts, after which the next run repeats events. */
  end(): Promise<void>;
} {
  let newest: string | undefined;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (newest !== undefined) {
      const cursor = newest;
      try {
        await commit(cursor);
      } catch {
        return;
      }
      if (newest === cursor) newest = undefined;
    }
  }

  function start(): Promise<void> {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    add(cursor) {
      newest = cursor;
      void start();
    },
    async end() {
      for (let attempt = 1; ; attempt += 1) {
        await start();
        if (newest === undefined || attempt === LAST_ATTEMPTS) return;
        await pause(LAST_RETRY_MS);
      }
    },
  };
}
