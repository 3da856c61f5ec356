import { setTimeout as pause } from "node:timers/promises";

/** How often, and how soon again, the last commit is tried at the end. */
const LAST_ATTEMPTS = 3;
const LAST_RETRY_MS = 300;

/**
 * Commits a consumer's cursor, one at a time and always the newest: a commit that fails, as while the server is down,
 * is made up for by the next. Only events that were taken may be added.
 */
export function createCommits(commit: (cursor: string) => Promise<unknown>): {
  add(cursor: string): void;
  /** Commits what is left; gives up after a few attempts, and then the next run repeats events. */
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
