import { createHash } from "node:crypto";
import { createLocalSignals, type Signals } from "@letterslot/core/ports";
import { toPublicError } from "../storage/postgres-errors.ts";
import type { PostgresStorage } from "../storage/postgres-storage.ts";

/** Longer channel names, in UTF-16 units, are sent as their hash. */
const MAX_NAME_CHARS = 500;
/** Marks signals among the messages on the shared channel. */
const PREFIX = "s";

/**
 * Signals between all processes on a database, by NOTIFY. Listeners in this process are called
 * immediately; after a reconnection all listeners are called.
 */
export function createPostgresSignals({ storage: { notifications } }: { storage: PostgresStorage }): Signals {
  const local = createLocalSignals();
  const subscribed = new Map<string, number>();
  let connected: Promise<() => void> | undefined;
  let closed = false;

  const connect = () => {
    connected ??= notifications.subscribe({
      onMessage: (message) =>
        message.startsWith(PREFIX) && void local.publish([message.slice(PREFIX.length)]),
      onReconnect: () => void local.publish([...subscribed.keys()]),
    });
    return connected;
  };

  return {
    async publish(channels) {
      if (closed) throw new Error("the signals are closed");
      const names = channels.map(nameOf);
      await local.publish(names);
      try {
        await notifications.publish(names.map((name) => PREFIX + name));
      } catch (error) {
        throw toPublicError(error);
      }
    },
    async subscribe(channel, listener) {
      if (closed) throw new Error("the signals are closed");
      try {
        await connect();
      } catch (error) {
        connected = undefined;
        throw toPublicError(error);
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
      // Subscribers got the error of a failed connection; then there is nothing to unsubscribe.
      const unsubscribe = await connected?.catch(() => undefined);
      unsubscribe?.();
      subscribed.clear();
      await local.close();
    },
  };
}

function nameOf(channel: string): string {
  return channel.length <= MAX_NAME_CHARS ? channel : createHash("sha256").update(channel).digest("hex");
}
