import { createLocalQueue, type Queue, systemClock } from "@letterslot/core/ports";
import { createWakeUps } from "./bullmq-wake-ups.ts";
import type { RedisLink } from "./redis-link.ts";

/** The polling interval of workers, in case Redis lost a wake-up. */
const POLL_MS = 5_000;
/** The polling interval of workers while Redis is down. */
const POLL_WHILE_DOWN_MS = 1_000;
/** Later wake-ups are left to polling, so that a million scheduled sends do not fill Redis. */
const MAX_AHEAD_MS = 60_000;

/**
 * A queue for any number of processes: a wake-up goes through Redis to one working process. In case Redis
 * lost it, working processes also poll every five seconds, and every second while Redis is down.
 */
export function createRedisQueue(link: RedisLink): Queue {
  const local = createLocalQueue({ clock: systemClock });
  const wakeUps = createWakeUps(link, wakeHere);
  const polls = new Set<NodeJS.Timeout>();
  let working = 0;
  let closed = false;

  function wakeHere(): void {
    if (working > 0 && !closed) void local.send(systemClock.now());
  }

  const unlisten = link.onChange((up) => {
    wakeHere();
    // Other processes may have stayed connected, and missed the wake-ups that this one could not send.
    if (up) void wakeUps.send(systemClock.now());
  });

  return {
    async send(wake_at) {
      if (closed || wake_at.getTime() > systemClock.now().getTime() + MAX_AHEAD_MS) return;
      if (await wakeUps.send(wake_at)) return;
      if (working > 0 && !closed) await local.send(wake_at);
    },
    work(handler) {
      const stopLocal = local.work(handler);
      working++;
      wakeUps.listen();
      const poll = startPolling(link, wakeHere);
      polls.add(poll);
      let stopped: Promise<void> | undefined;
      const stop = async () => {
        clearInterval(poll);
        polls.delete(poll);
        working--;
        await Promise.all([stopLocal(), working === 0 ? wakeUps.stopListening() : undefined]);
      };
      return () => (stopped ??= stop());
    },
    async close() {
      closed = true;
      unlisten();
      for (const poll of polls) clearInterval(poll);
      await Promise.all([local.close(), wakeUps.close()]);
    },
  };
}

function startPolling(link: RedisLink, wake: () => void): NodeJS.Timeout {
  let elapsed = 0;
  return setInterval(() => {
    elapsed += POLL_WHILE_DOWN_MS;
    if (link.isUp() && elapsed < POLL_MS) return;
    elapsed = 0;
    wake();
  }, POLL_WHILE_DOWN_MS);
}
