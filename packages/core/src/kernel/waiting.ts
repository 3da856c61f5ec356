import { fail } from "../catalogue/errors.ts";
import { limits } from "../catalogue/limits.ts";
import type { AccountContext } from "./context.ts";
import { freeSlot, takeSlot } from "./rate.ts";

/**
 * Answers what `look` finds, now or within `seconds`: it looks again whenever the channel is signalled, in
 * whatever process the write happened. Undefined when the time ran out or the caller hung up.
 */
export async function waitFor<T>(
  ctx: Pick<AccountContext, "signals" | "clock" | "signal">,
  wait: { channel: string; seconds: number; look(): Promise<T | undefined> },
): Promise<T | undefined> {
  if (wait.seconds === 0) return wait.look();
  let woken = false;
  let over = false;
  let resume: () => void = () => {};
  const wake = () => {
    woken = true;
    resume();
  };
  const end = () => {
    over = true;
    resume();
  };
  const unsubscribe = await ctx.signals.subscribe(wait.channel, wake);
  const cancelTimer = ctx.clock.after(wait.seconds * 1000, end);
  ctx.signal?.addEventListener("abort", end, { once: true });
  if (ctx.signal?.aborted === true) over = true;
  try {
    for (;;) {
      woken = false; // before looking: a write after the look wakes us again
      const found = await wait.look();
      if (found !== undefined || over) return found;
      if (!woken) await new Promise<void>((resolve) => void (resume = resolve));
      if (over) return await wait.look();
    }
  } finally {
    unsubscribe();
    cancelTimer();
    ctx.signal?.removeEventListener("abort", end);
  }
}

/**
 * Runs a wait in one of the key's 5 places, over all processes; fails with `rate_limited` when they are
 * taken.
 */
export async function inWaitingPlace<T>(
  ctx: AccountContext,
  seconds: number,
  run: () => Promise<T>,
): Promise<T> {
  const holder = ctx.makeId("req");
  const lease_ms = (seconds + 5) * 1000;
  const place = await takeSlot(
    ctx.storage,
    { name: `wait:${ctx.caller.key.id}`, places: limits.concurrent_waits_per_key, holder, lease_ms },
    ctx.now,
  );
  if (place === undefined)
    throw fail("rate_limited", {
      retry_after_seconds: 1,
      message: "Too many waits are under way on this key: at most 5.",
    });
  try {
    return await run();
  } finally {
    await freeSlot(ctx.storage, place, holder);
  }
}
