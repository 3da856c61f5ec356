import { createLocalQueue, type Queue, systemClock } from "@letterslot/core";
import { createWakeUps } from "./bullmq-wake-ups.ts";
import type { RedisLink } from "./redis-link.ts";

/** What no wake-up told of is found this often: a Redis that was flushed costs a job this much time. */
const SWEEP_MS = 5_000;
/** While Redis is away, workers look by themselves this often. */
const SWEEP_WHILE_AWAY_MS = 1_000;
/** Wake-ups farther ahead are left to the sweep, so that a million scheduled sends don't fill Redis. */
const FARTHEST_MS = 60_000;

/**
 * A queue for any number of processes: a wake-up goes through Redis to one that works. While Redis is away,
 * and for what it forgot, each process that works looks by itself every second or every five.
 */
export function createRedisQueue(link: RedisLink): Queue {
  const local = createLocalQueue({ clock: systemClock });
  const wakeUps = createWakeUps(link, wakeHere);
  const sweeps = new Set<NodeJS.Timeout>();
  let working = 0;
  let closed = false;

  function wakeHere(): void {
    if (working > 0 && !closed) void local.send(systemClock.now());
  }

  const unlisten = link.onChange((up) => {
    wakeHere();
    // Workers elsewhere may have had no trouble, and so know nothing of the wake-ups that this process could
    // not send.
    if (up) void wakeUps.send(systemClock.now());
  });

  return {
    async send(wake_at) {
      if (closed || wake_at.getTime() > systemClock.now().getTime() + FARTHEST_MS) return;
      if (await wakeUps.send(wake_at)) return;
      if (working > 0 && !closed) await local.send(wake_at);
    },
    work(handler) {
      const stopLocal = local.work(handler);
      working++;
      wakeUps.listen();
      const sweep = startSweep(link, wakeHere);
      sweeps.add(sweep);
      let stopped: Promise<void> | undefined;
      const stop = async () => {
        clearInterval(sweep);
        sweeps.delete(sweep);
        working--;
        await Promise.all([stopLocal(), working === 0 ? wakeUps.deafen() : undefined]);
      };
      return () => (stopped ??= stop());
    },
    async close() {
      closed = true;
      unlisten();
      for (const sweep of sweeps) clearInterval(sweep);
      await Promise.all([local.close(), wakeUps.close()]);
    },
  };
}

function startSweep(link: RedisLink, wake: () => void): NodeJS.Timeout {
  let since = 0;
  return setInterval(() => {
    since += SWEEP_WHILE_AWAY_MS;
    if (link.isUp() && since < SWEEP_MS) return;
    since = 0;
    wake();
  }, SWEEP_WHILE_AWAY_MS);
}
