import { randomUUID } from "node:crypto";
import { createLocalSignals, type Signals } from "@letterslot/core/ports";
import { withTimeout } from "@letterslot/node-kit";
import type { RedisLink } from "./redis-link.ts";

/** Subscribing does not wait longer for Redis; the listener is then woken once Redis is back. */
const SUBSCRIBE_TIMEOUT_MS = 250;
/** The interval at which every listener is woken while Redis is down, which turns waiting into slow polling. */
const POLL_WHILE_DOWN_MS = 2_000;

/**
 * Signals to every process over Redis pub/sub. Listeners in the publishing process are called at once, even
 * without Redis; the others through Redis. After an outage, every listener everywhere is called once.
 */
export function createRedisSignals(link: RedisLink): Signals {
  const own_id = randomUUID();
  const everyone = `${link.prefix}:everyone`;
  const keyOf = (channel: string) => `${link.prefix}:signal:${channel}`;
  const local = createLocalSignals();
  const subscriptions = new Map<string, { listeners: number; confirmed: Promise<unknown> }>();
  // Resubscribes by hand after a reconnect, so that listeners are woken after that and not before.
  const subscriber = link.duplicate({ autoResubscribe: false });
  const unwatch = link.watch(subscriber);
  let publish_failed = false;

  const wakeAll = () => void local.publish([...subscriptions.keys()]);
  const resubscribe = async () => {
    await subscriber.subscribe(everyone, ...[...subscriptions.keys()].map(keyOf)).catch(() => undefined);
    wakeAll();
  };
  const onReady = () => void resubscribe();
  subscriber.on("ready", onReady);
  subscriber.on("message", (key: string, sender: string) => {
    if (sender === own_id) return;
    if (key === everyone) return wakeAll();
    void local.publish([key.slice(keyOf("").length)]);
  });
  const unlisten = link.onChange((up) => {
    if (!up) return;
    wakeAll();
    if (publish_failed)
      void link
        .run((connection) => connection.publish(everyone, own_id))
        .then((done) => (publish_failed = !done));
  });
  const poll = setInterval(() => link.isUp() || wakeAll(), POLL_WHILE_DOWN_MS);

  const retain = (channel: string) => {
    const known = subscriptions.get(channel);
    if (known !== undefined) {
      known.listeners++;
      return known.confirmed;
    }
    const confirmed =
      subscriber.status === "ready"
        ? subscriber.subscribe(keyOf(channel)).catch(() => undefined)
        : Promise.resolve(0);
    subscriptions.set(channel, { listeners: 1, confirmed });
    return confirmed;
  };
  const release = (channel: string) => {
    const known = subscriptions.get(channel);
    if (known === undefined || --known.listeners > 0) return;
    subscriptions.delete(channel);
    if (subscriber.status === "ready") subscriber.unsubscribe(keyOf(channel)).catch(() => undefined);
  };

  return {
    async publish(channels) {
      const unique = [...new Set(channels)];
      if (unique.length === 0) return;
      await local.publish(unique);
      const done = await link.run((connection) =>
        Promise.all(unique.map((channel) => connection.publish(keyOf(channel), own_id))),
      );
      if (!done) publish_failed = true;
    },
    async subscribe(channel, listener) {
      const stop = await local.subscribe(channel, listener);
      const confirmed = await withTimeout(
        SUBSCRIBE_TIMEOUT_MS,
        retain(channel).then(() => true),
      );
      if (confirmed === undefined) link.markDown();
      let stopped = false;
      return () => {
        if (stopped) return;
        stopped = true;
        stop();
        release(channel);
      };
    },
    async close() {
      clearInterval(poll);
      unlisten();
      unwatch();
      subscriber.off("ready", onReady);
      subscriber.disconnect();
      subscriptions.clear();
      await local.close();
    },
  };
}
