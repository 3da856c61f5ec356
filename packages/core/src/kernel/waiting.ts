import { fail, type LetterslotError } from "../catalogue/errors.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { callerId } from "./access/caller.ts";
import { rootAccount } from "./access/root-account.ts";
import { cachedAccounts } from "./access/suspended.ts";
import type { AccountContext } from "./context.ts";
import { freeSlot, takeSlot } from "./rate.ts";

/**
 * Returns what `look` finds, now or within `seconds`. It looks again whenever one of the channels is
 * signalled, by any process. Returns undefined when the time is over or the caller hung up. Before it
 * looks again it asks whether the caller still may; ends within a second of the right's end. Fails as the call would then.
 */
export async function waitFor<T>(
  ctx: Pick<AccountContext, "signals" | "clock" | "signal" | "rights">,
  wait: { channels: readonly string[]; seconds: number; look(): Promise<T | undefined> },
): Promise<T | undefined> {
  if (wait.seconds === 0) return wait.look();
  let woken = false;
  let over = false;
  let ended: LetterslotError | undefined;
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
  const unwatch = ctx.rights.watch((failure) => {
    ended = failure;
    resume();
  });
  const failIfEnded = () => {
    if (ended !== undefined) throw ended;
  };
  const cancelTimer = ctx.clock.after(wait.seconds * 1000, end);
  ctx.signal?.addEventListener("abort", end, { once: true });
  if (ctx.signal?.aborted === true) over = true;
  try {
    for (;;) {
      woken = false; // reset before looking, so that a write during the look wakes us again
      const found = await wait.look();
      failIfEnded();
      if (found !== undefined || over) return found;
      if (!woken) await new Promise<void>((resolve) => void (resume = resolve));
      failIfEnded();
      await ctx.rights.check();
    }
  } finally {
    unwatch();
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
export async function takePlace(
  ctx: Pick<AccountContext, "caller" | "waitingPlaces" | "clock" | "storage" | "cachedRead">,
  seconds: number,
  kind: "mail" | "stream" = "stream",
): Promise<() => void> {
  const { caller, waitingPlaces, clock } = ctx;
  const root = await rootAccount(cachedAccounts(ctx), caller.account_id);
  const now = clock.now().getTime();
  return waitingPlaces.take(
    { caller, root_id: root?.id ?? caller.account_id },
    kind,
    now,
    now + (seconds + GRACE_SECONDS) * 1000,
  );
}

/** Runs a poll in a place of its own, or without one if it doesn't wait. Fails like `takePlace`. */
export async function inPlace<T>(ctx: AccountContext, seconds: number, run: () => Promise<T>): Promise<T> {
  if (seconds === 0) return run();
  const leave = await takePlace(ctx, seconds);
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
  const leave = await takePlace(ctx, seconds, "mail");
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
