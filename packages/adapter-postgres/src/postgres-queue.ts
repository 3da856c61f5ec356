import { type Clock, createLocalQueue, type Queue, systemClock } from "@letterslot/core";
import type { PostgresStorage } from "./postgres-storage.ts";
import { outwardError } from "./postgres-trouble.ts";

/** What no wake-up told of is found this often. */
const SWEEP_MS = 15_000;
/** What tells a wake-up from other words on the same channel of the database. */
const MARK = "w";

/**
 * A queue between all processes on a database: timers in each worker, told of by NOTIFY, and a slow sweep.
 */
export function createPostgresQueue(options: { storage: PostgresStorage; clock?: Clock }): Queue {
  const { notifications } = options.storage;
  const local = createLocalQueue({ clock: options.clock ?? systemClock, sweep_ms: SWEEP_MS });
  let connected: Promise<(() => void) | undefined> | undefined;
  let closed = false;

  const wake = (milliseconds: number) => {
    if (!closed) void local.send(new Date(milliseconds));
  };

  return {
    async send(wake_at) {
      await local.send(wake_at);
      try {
        await notifications.publish([`${MARK}${wake_at.getTime()}`]);
      } catch (error) {
        throw outwardError(error);
      }
    },
    work(handler) {
      const stop = local.work(handler);
      // Without the connection the sweep still finds the work; it is tried again with the next worker.
      connected ??= notifications
        .subscribe({
          heard: (word) => word.startsWith(MARK) && wake(Number(word.slice(MARK.length))),
          renewed: () => wake(0),
        })
        .catch(() => {
          connected = undefined;
          return undefined;
        });
      return stop;
    },
    async close() {
      closed = true;
      const leave = await connected;
      leave?.();
      await local.close();
    },
  };
}
