import { setTimeout as after } from "node:timers/promises";
import type { Log } from "@letterslot/core/ports";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/**
 * Opens a database, again after ever longer pauses while it is away, for `patience_ms` in all. Each failed attempt is one
 * line of the log, without a stack. Throws the last error.
 */
export async function untilItAnswers<T>(
  open: () => Promise<T>,
  {
    isAway,
    log,
    patience_ms,
    pause = after,
  }: {
    isAway: (error: unknown) => boolean;
    log: Pick<Log, "warn">;
    patience_ms: number;
    pause?: (ms: number) => Promise<unknown>;
  },
): Promise<T> {
  let waited_ms = 0;
  for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(2 * pause_ms, LONGEST_PAUSE_MS)) {
    try {
      return await open();
    } catch (error) {
      if (!isAway(error) || waited_ms + pause_ms > patience_ms) throw error;
      const { cause = error } = error as Error;
      const why = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
      log.warn({ why, retry_in_ms: pause_ms }, "the database does not answer; trying again");
    }
    await pause(pause_ms);
    waited_ms += pause_ms;
  }
}
