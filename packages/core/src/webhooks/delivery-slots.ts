import type { Clock } from "../ports/clock.ts";

/**
 * How many deliveries to one webhook are under way at once: few until it has shown that it answers quickly.
 */
const placesAtFirst = 4;
const placesWhenFast = 64;

/**
 * How many deliveries to webhooks that are not known to be fast are under way at once, so that the others
 * always find a worker.
 */
const placesForOthers = 100;

/**
 * What one account can hold of those, as a share of what is free: however many it asks for, another account
 * finds a place.
 */
const shareOfFree = 0.5;

/**
 * How many deliveries to webhooks of which nothing is known wait for a place at once: each keeps a worker
 * from something else.
 */
const waitingUnknown = 50;

/** An answer within this time is a quick one; a delivery waits no longer than this for a place. */
const quickMs = 1000;

/**
 * Deliveries that a webhook has no place for are put off one after the other, so that they don't all come
 * back at once.
 */
const putOffStepMs = { unknown: 0, fast: 10, slow: 250 };
const putOffMaxMs = 60_000;

/** Webhooks that are remembered; beyond that idle ones are forgotten, the oldest first. */
const remembered = 10_000;

interface Gauge {
  account_id: string;
  speed: "unknown" | "fast" | "slow";
  under_way: number;
  /** How many have ended so far. */
  ended: number;
  waiting: Set<(got: boolean) => void>;
  put_off_until: number;
}

/**
 * The places for deliveries in this process. A receiver that hangs holds a place until the deadline of its
 * request; so that a few such receivers can't hold all of them, a webhook has 4 places until it has answered
 * within a second, and then 64; and an account's webhooks that have not hold no more places than half as many
 * as are left free.
 */
export interface DeliverySlots {
  /** True once there is a place, for which it waits a second at most; otherwise the time to try again. */
  take(webhook: { id: string; account_id: string }): Promise<true | Date>;
  /**
   * Gives a place back and says how long the receiver held it; undefined: it was not asked, so nothing is
   * learned of it.
   */
  give(webhook_id: string, held_ms: number | undefined): void;
  /** Whether the webhook has answered quickly of late. */
  isFast(webhook_id: string): boolean;
  /** How many places are taken. */
  underWay(): number;
}

/** Places on a clock. */
export function createDeliverySlots(clock: Clock): DeliverySlots {
  const gauges = new Map<string, Gauge>();
  const othersOf = new Map<string, number>();
  let underWay = 0;
  let others = 0;
  let unknownWaiting = 0;

  const gaugeOf = ({ id, account_id }: { id: string; account_id: string }): Gauge => {
    const known = gauges.get(id);
    if (known !== undefined) return known;
    if (gauges.size >= remembered) forgetOldest(gauges);
    const gauge: Gauge = {
      account_id,
      speed: "unknown",
      under_way: 0,
      ended: 0,
      waiting: new Set(),
      put_off_until: 0,
    };
    gauges.set(id, gauge);
    return gauge;
  };

  const countOthers = ({ account_id }: Gauge, more: number) => {
    const count = (othersOf.get(account_id) ?? 0) + more;
    others += more;
    if (count === 0) othersOf.delete(account_id);
    if (count > 0) othersOf.set(account_id, count);
  };
  const othersAreFull = ({ account_id }: Gauge): boolean =>
    (othersOf.get(account_id) ?? 0) >= (placesForOthers - others) * shareOfFree;

  const enter = (gauge: Gauge): boolean => {
    const fast = gauge.speed === "fast";
    if (gauge.under_way >= (fast ? placesWhenFast : placesAtFirst)) return false;
    if (!fast && othersAreFull(gauge)) return false;
    gauge.under_way++;
    underWay++;
    if (!fast) countOthers(gauge, 1);
    return true;
  };

  const learn = (gauge: Gauge, speed: "fast" | "slow") => {
    if (gauge.speed !== "fast") countOthers(gauge, -gauge.under_way);
    if (speed !== "fast") countOthers(gauge, gauge.under_way);
    if (speed === "fast") gauge.put_off_until = 0;
    gauge.speed = speed;
  };

  const putOff = (gauge: Gauge): Date => {
    const now = clock.now().getTime();
    const next = gauge.put_off_until + putOffStepMs[gauge.speed];
    gauge.put_off_until = Math.min(Math.max(next, now + quickMs), now + putOffMaxMs);
    return new Date(gauge.put_off_until);
  };

  const wait = (gauge: Gauge): Promise<true | Date> =>
    new Promise((resolve) => {
      const unknown = gauge.speed === "unknown" ? 1 : 0;
      const { ended } = gauge;
      const answer = (got: boolean) => {
        gauge.waiting.delete(answer);
        unknownWaiting -= unknown;
        stop();
        resolve(got || putOff(gauge));
      };
      const stop = clock.after(quickMs, () => {
        // Slow is where nothing that was under way has ended in all this time; where nothing was, others had
        // all the places, and where something has, many are in line.
        if (gauge.under_way > 0 && gauge.ended === ended) learn(gauge, "slow");
        answer(false);
      });
      gauge.waiting.add(answer);
      unknownWaiting += unknown;
    });

  return {
    async take(webhook) {
      const gauge = gaugeOf(webhook);
      if (enter(gauge)) return true;
      const mayWait =
        gauge.speed === "fast" || (gauge.speed === "unknown" && unknownWaiting < waitingUnknown);
      return mayWait ? wait(gauge) : putOff(gauge);
    },
    give(webhook_id, held_ms) {
      const gauge = gauges.get(webhook_id);
      if (gauge === undefined) return;
      if (held_ms !== undefined) learn(gauge, held_ms < quickMs ? "fast" : "slow");
      gauge.under_way--;
      gauge.ended++;
      underWay--;
      if (gauge.speed !== "fast") countOthers(gauge, -1);
      for (const answer of gauge.waiting) {
        if (!enter(gauge)) return;
        answer(true);
      }
    },
    isFast: (webhook_id) => gauges.get(webhook_id)?.speed === "fast",
    underWay: () => underWay,
  };
}

function forgetOldest(gauges: Map<string, Gauge>): void {
  for (const [webhook_id, gauge] of gauges) {
    if (gauge.under_way > 0 || gauge.waiting.size > 0) continue;
    gauges.delete(webhook_id);
    return;
  }
}
