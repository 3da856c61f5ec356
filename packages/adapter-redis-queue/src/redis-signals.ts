import { randomUUID } from "node:crypto";
import { createLocalSignals, type Signals } from "@letterslot/core";
import type { RedisLink } from "./redis-link.ts";
import { within } from "./within.ts";

/**
 * A subscription that Redis has not confirmed by then is answered all the same; its listener is woken when
 * Redis is back.
 */
const SUBSCRIBE_WITHIN_MS = 250;
/**
 * While Redis is away, every listener is woken this often, so that waits become slow looks instead of none.
 */
const LOOK_WHILE_AWAY_MS = 2_000;

/**
 * Signals to every process over Redis's pub/sub. Listeners of the publishing process hear at once, with or
 * without Redis; the others hear through it, and after it was away every listener everywhere is woken once.
 */
export function createRedisSignals(link: RedisLink): Signals {
  const me = randomUUID();
  const everyone = `${link.prefix}:everyone`;
  const keyOf = (channel: string) => `${link.prefix}:signal:${channel}`;
  const local = createLocalSignals();
  const held = new Map<string, { listeners: number; confirmed: Promise<unknown> }>();
  // Redis forgets subscriptions with the connection. They are renewed here, so that listeners are woken after
  // that and not before.
  const subscriber = link.another({ autoResubscribe: false });
  const unwatch = link.watch(subscriber);
  let missed = false;

  const wakeAll = () => void local.publish([...held.keys()]);
  const renew = async () => {
    await subscriber.subscribe(everyone, ...[...held.keys()].map(keyOf)).catch(() => undefined);
    wakeAll();
  };
  const onReady = () => void renew();
  subscriber.on("ready", onReady);
  subscriber.on("message", (key: string, sender: string) => {
    if (sender === me) return;
    if (key === everyone) return wakeAll();
    void local.publish([key.slice(keyOf("").length)]);
  });
  const unlisten = link.onChange((up) => {
    if (!up) return;
    wakeAll();
    if (missed)
      void link.run((connection) => connection.publish(everyone, me)).then((done) => (missed = !done));
  });
  const looks = setInterval(() => link.isUp() || wakeAll(), LOOK_WHILE_AWAY_MS);

  const hold = (channel: string) => {
    const known = held.get(channel);
    if (known !== undefined) {
      known.listeners++;
      return known.confirmed;
    }
    const confirmed =
      subscriber.status === "ready"
        ? subscriber.subscribe(keyOf(channel)).catch(() => undefined)
        : Promise.resolve(0);
    held.set(channel, { listeners: 1, confirmed });
    return confirmed;
  };
  const letGo = (channel: string) => {
    const known = held.get(channel);
    if (known === undefined || --known.listeners > 0) return;
    held.delete(channel);
    if (subscriber.status === "ready") subscriber.unsubscribe(keyOf(channel)).catch(() => undefined);
  };

  return {
    async publish(channels) {
      const unique = [...new Set(channels)];
      if (unique.length === 0) return;
      await local.publish(unique);
      const done = await link.run((connection) =>
        Promise.all(unique.map((channel) => connection.publish(keyOf(channel), me))),
      );
      if (!done) missed = true;
    },
    async subscribe(channel, listener) {
      const stop = await local.subscribe(channel, listener);
      const confirmed = await within(
        SUBSCRIBE_WITHIN_MS,
        hold(channel).then(() => true),
      );
      if (confirmed === undefined) link.doubt();
      let stopped = false;
      return () => {
        if (stopped) return;
        stopped = true;
        stop();
        letGo(channel);
      };
    },
    async close() {
      clearInterval(looks);
      unlisten();
      unwatch();
      subscriber.off("ready", onReady);
      subscriber.disconnect();
      held.clear();
      await local.close();
    },
  };
}
