import { createHash } from "node:crypto";
import { createLocalSignals, type Signals } from "@letterslot/core";
import type { PostgresStorage } from "./postgres-storage.ts";
import { outwardError } from "./postgres-trouble.ts";

/** Longer channel names travel as their hash. In UTF-16 units. */
const NAME_CHARS = 500;
/** What tells a signal's words from others on the same channel of the database. */
const MARK = "s";

/**
 * Signals between all processes on a database, by NOTIFY. Listeners in the same process hear at once; when
 * the connection was lost, all listeners are called once it is there again.
 */
export function createPostgresSignals({ storage: { notifications } }: { storage: PostgresStorage }): Signals {
  const local = createLocalSignals();
  const subscribed = new Map<string, number>();
  let connected: Promise<() => void> | undefined;
  let closed = false;

  const connect = () => {
    connected ??= notifications.subscribe({
      heard: (word) => word.startsWith(MARK) && void local.publish([word.slice(MARK.length)]),
      renewed: () => void local.publish([...subscribed.keys()]),
    });
    return connected;
  };

  return {
    async publish(channels) {
      if (closed) throw new Error("the signals are closed");
      const names = channels.map(nameOf);
      await local.publish(names);
      try {
        await notifications.publish(names.map((name) => MARK + name));
      } catch (error) {
        throw outwardError(error);
      }
    },
    async subscribe(channel, listener) {
      if (closed) throw new Error("the signals are closed");
      try {
        await connect();
      } catch (error) {
        connected = undefined;
        throw outwardError(error);
      }
      const name = nameOf(channel);
      const unsubscribe = await local.subscribe(name, listener);
      subscribed.set(name, (subscribed.get(name) ?? 0) + 1);
      let gone = false;
      return () => {
        if (gone) return;
        gone = true;
        unsubscribe();
        const left = (subscribed.get(name) ?? 1) - 1;
        if (left === 0) subscribed.delete(name);
        else subscribed.set(name, left);
      };
    },
    async close() {
      closed = true;
      // Who subscribed was told that there was no connection; then there is nothing to leave.
      const leave = await connected?.catch(() => undefined);
      leave?.();
      subscribed.clear();
      await local.close();
    },
  };
}

function nameOf(channel: string): string {
  return channel.length <= NAME_CHARS ? channel : createHash("sha256").update(channel).digest("hex");
}
