import { fail } from "../catalogue/errors.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { callerId } from "./caller.ts";
import type { AccountContext } from "./context.ts";
import { freeSlot, takeSlot } from "./rate.ts";

/**
 * Returns what `look` finds, now or within `seconds`. It looks again whenever one of the channels is
 * signalled, by any process. Returns undefined when the time is over or the caller hung up.
 */
export async function waitFor<T>(
  ctx: Pick<AccountContext, "signals" | "clock" | "signal">,
  wait: { channels: readonly string[]; seconds: number; look(): Promise<T | undefined> },
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
  const subscriptions = await Promise.all(
    wait.channels.map((channel) => ctx.signals.subscribe(channel, wake)),
  );
  const cancelTimer = ctx.clock.after(wait.seconds * 1000, end);
  ctx.signal?.addEventListener("abort", end, { once: true });
  if (ctx.signal?.aborted === true) over = true;
  try {
    for (;;) {
      woken = false; // reset before looking, so that a write during the look wakes us again
      const found = await wait.look();
      if (found !== undefined || over) return found;
      if (!woken) await new Promise<void>((resolve) => void (resume = resolve));
      if (over) return await wait.look();
    }
  } finally {
    for (const unsubscribe of subscriptions) unsubscribe();
    cancelTimer();
    ctx.signal?.removeEventListener("abort", end);
  }
}

/** A place may be held a little longer than the wait itself, until its answer was written. */
const GRACE_SECONDS = 5;

/**
 * Takes a place for a stream or poll of up to `seconds`; the returned function frees it. Fails with
 * `rate_limited` when the caller, its account or this process has too many (see `WaitingPlaces`).
 */
export function takePlace(
  { caller, waitingPlaces, clock }: Pick<AccountContext, "caller" | "waitingPlaces" | "clock">,
  seconds: number,
  kind: "mail" | "stream" = "stream",
): () => void {
  const now = clock.now().getTime();
  return waitingPlaces.take(caller, kind, now, now + (seconds + GRACE_SECONDS) * 1000);
}

/** Runs a poll in a place of its own, or without one if it doesn't wait. Fails like `takePlace`. */
export async function inPlace<T>(ctx: AccountContext, seconds: number, run: () => Promise<T>): Promise<T> {
  if (seconds === 0) return run();
  const leave = takePlace(ctx, seconds);
  return run().finally(leave);
}

/**
 * Runs a wait for mail in one of the caller's 5 slots, shared by all processes. Fails with `rate_limited` when
 * all are taken, or when this process has too many waits of all kinds.
 */
export async function inWaitingSlot<T>(
  ctx: AccountContext,
  seconds: number,
  run: () => Promise<T>,
): Promise<T> {
  const leave = takePlace(ctx, seconds, "mail");
  return inSlot(ctx, seconds, run).finally(leave);
}

async function inSlot<T>(ctx: AccountContext, seconds: number, run: () => Promise<T>): Promise<T> {
  const holder = ctx.makeId("req");
  const lease_ms = (seconds + GRACE_SECONDS) * 1000;
  const slot = await takeSlot(
    ctx.storage,
    { name: `wait:${callerId(ctx.caller)}`, slots: LIMITS.concurrent_waits_per_key, holder, lease_ms },
    ctx.now,
  );
  if (slot === undefined)
    throw fail("rate_limited", {
      retry_after_seconds: 1,
      message: "This key has 5 waits open, which is the limit.",
    });
  try {
    return await run();
  } finally {
    await freeSlot(ctx.storage, slot, holder);
  }
}
