import { type Clock, createLocalQueue, type Queue, systemClock } from "@letterslot/core/ports";
import { toPublicError } from "../storage/postgres-errors.ts";
import type { PostgresStorage } from "../storage/postgres-storage.ts";

/** The interval between polls for due work that no wake-up announced. */
const SWEEP_MS = 15_000;
/** Marks wake-ups among the messages on the shared channel. */
const PREFIX = "w";

/** A queue for all processes on a database: timers in each worker, set by NOTIFY, and a slow sweep. */
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
        await notifications.publish([`${PREFIX}${wake_at.getTime()}`]);
      } catch (error) {
        throw toPublicError(error);
      }
    },
    work(handler) {
      const stop = local.work(handler);
      // Without a connection the sweep still finds due work; the next worker tries to connect again.
      connected ??= notifications
        .subscribe({
          onMessage: (message) => message.startsWith(PREFIX) && wake(Number(message.slice(PREFIX.length))),
          onReconnect: () => wake(0),
        })
        .catch(() => {
          connected = undefined;
          return undefined;
        });
      return stop;
    },
    async close() {
      closed = true;
      const unsubscribe = await connected;
      unsubscribe?.();
      await local.close();
    },
  };
}
