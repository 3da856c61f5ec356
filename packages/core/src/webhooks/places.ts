import type { Clock } from "../ports/clock.ts";

/** How many deliveries to one webhook are under way at once: few until it has shown that it answers quickly. */
const placesAtFirst = 4;
const placesWhenFast = 64;

/** How many deliveries to webhooks that are not known to be fast are under way at once, so that the others always find a worker. */
const placesForOthers = 100;

/** An answer within this time is a quick one; a delivery waits no longer than this for a place. */
const quickMs = 1000;

/** Deliveries that a slow webhook has no place for are put off one after the other, so that they don't all come back at once. */
const putOffStepMs = 250;
const putOffMaxMs = 60_000;

/** Webhooks that are remembered; beyond that idle ones are forgotten, the oldest first. */
const remembered = 10_000;

interface Gauge {
  speed: "unknown" | "fast" | "slow";
  under_way: number;
  waiting: Set<(got: boolean) => void>;
  put_off_until: number;
}

/**
 * The places for deliveries in this process. A receiver that hangs holds a place until the deadline of its request; so that a few
 * such receivers can't hold all of them, a webhook has 4 places until it has answered within a second, and then 64.
 */
export interface Places {
  /** True once there is a place, for which it waits a second at most; otherwise the time to try again. */
  take(webhook_id: string): Promise<true | Date>;
  /** Gives a place back and says how long it was held. */
  give(webhook_id: string, held_ms: number): void;
}

/** Places on a clock. */
export function createPlaces(clock: Clock): Places {
  const gauges = new Map<string, Gauge>();
  let others = 0;

  const gaugeOf = (webhook_id: string): Gauge => {
    const known = gauges.get(webhook_id);
    if (known !== undefined) return known;
    if (gauges.size >= remembered) forgetOldest(gauges);
    const gauge: Gauge = { speed: "unknown", under_way: 0, waiting: new Set(), put_off_until: 0 };
    gauges.set(webhook_id, gauge);
    return gauge;
  };

  const enter = (gauge: Gauge): boolean => {
    const fast = gauge.speed === "fast";
    if (gauge.under_way >= (fast ? placesWhenFast : placesAtFirst)) return false;
    if (!fast && others >= placesForOthers) return false;
    gauge.under_way++;
    if (!fast) others++;
    return true;
  };

  const learn = (gauge: Gauge, speed: "fast" | "slow") => {
    if (gauge.speed !== "fast") others -= gauge.under_way;
    if (speed !== "fast") others += gauge.under_way;
    if (speed === "fast") gauge.put_off_until = 0;
    gauge.speed = speed;
  };

  const putOff = (gauge: Gauge): Date => {
    const now = clock.now().getTime();
    gauge.put_off_until = Math.min(Math.max(gauge.put_off_until + putOffStepMs, now + quickMs), now + putOffMaxMs);
    return new Date(gauge.put_off_until);
  };

  const wait = (gauge: Gauge): Promise<true | Date> =>
    new Promise((resolve) => {
      const answer = (got: boolean) => {
        gauge.waiting.delete(answer);
        stop();
        resolve(got || putOff(gauge));
      };
      const stop = clock.after(quickMs, () => {
        // Nothing that was under way has ended in all this time.
        learn(gauge, "slow");
        answer(false);
      });
      gauge.waiting.add(answer);
    });

  return {
    async take(webhook_id) {
      const gauge = gaugeOf(webhook_id);
      if (enter(gauge)) return true;
      return gauge.speed === "slow" ? putOff(gauge) : wait(gauge);
    },
    give(webhook_id, held_ms) {
      const gauge = gaugeOf(webhook_id);
      learn(gauge, held_ms < quickMs ? "fast" : "slow");
      gauge.under_way--;
      if (gauge.speed !== "fast") others--;
      for (const answer of gauge.waiting) {
        if (!enter(gauge)) return;
        answer(true);
      }
    },
  };
}

function forgetOldest(gauges: Map<string, Gauge>): void {
  for (const [webhook_id, gauge] of gauges) {
    if (gauge.under_way > 0 || gauge.waiting.size > 0) continue;
    gauges.delete(webhook_id);
    return;
  }
}
