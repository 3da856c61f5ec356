import type { Clock } from "../ports/clock.ts";

/** Concurrent deliveries to one webhook: few until it has answered quickly. */
const INITIAL_SLOTS = 4;
const FAST_SLOTS = 64;

/**
 * Concurrent deliveries to all webhooks that are not known to be fast, so that fast ones always find a
 * worker.
 */
const UNPROVEN_SLOTS = 100;

/** One account may hold this share of the free ones, so that other accounts always find a slot. */
const ACCOUNT_SHARE_OF_FREE = 0.5;

/** Deliveries to webhooks of unknown speed that wait for a slot: each occupies a worker. */
const MAX_UNKNOWN_WAITING = 50;

/** An answer within this time is fast. Also the longest wait for a slot. */
const QUICK_MS = 1000;

/**
 * Steps between the new times of postponed deliveries to one webhook, so that they don't all come back at
 * once.
 */
const POSTPONE_STEP_MS = { unknown: 0, fast: 10, slow: 250 };
const MAX_POSTPONE_MS = 60_000;

/** Webhooks in memory; beyond that the oldest idle one is dropped. */
const MAX_WEBHOOKS = 10_000;

interface WebhookState {
  account_id: string;
  speed: "unknown" | "fast" | "slow";
  in_use: number;
  /** The number of deliveries that have ended. */
  ended: number;
  waiting: Set<(granted: boolean) => void>;
  postponed_until: number;
}

/**
 * The delivery slots of this process. A receiver that hangs holds a slot until its request times out. So that
 * a few such receivers can't hold them all, a webhook has 4 slots until it has answered within a second, and
 * then 64; and an account's webhooks that have not hold at most half as many slots as are free.
 */
export interface DeliverySlots {
  /** True once there is a slot, for which it waits a second at most; otherwise the time to try again. */
  take(webhook: { id: string; account_id: string }): Promise<true | Date>;
  /** Frees a slot. `held_ms` is the receiver's response time; undefined when no request was sent. */
  free(webhook_id: string, held_ms: number | undefined): void;
  /** Whether the webhook's last answer was fast. */
  isFast(webhook_id: string): boolean;
  /** The number of slots in use. */
  inUse(): number;
}

/** Creates the delivery slots of a process. */
export function createDeliverySlots(clock: Clock): DeliverySlots {
  const states = new Map<string, WebhookState>();
  const unprovenByAccount = new Map<string, number>();
  let inUse = 0;
  let unproven = 0;
  let unknownWaiting = 0;

  const stateOf = ({ id, account_id }: { id: string; account_id: string }): WebhookState => {
    const known = states.get(id);
    if (known !== undefined) return known;
    if (states.size >= MAX_WEBHOOKS) dropOldestIdle(states);
    const state: WebhookState = {
      account_id,
      speed: "unknown",
      in_use: 0,
      ended: 0,
      waiting: new Set(),
      postponed_until: 0,
    };
    states.set(id, state);
    return state;
  };

  const countUnproven = ({ account_id }: WebhookState, change: number) => {
    const count = (unprovenByAccount.get(account_id) ?? 0) + change;
    unproven += change;
    if (count === 0) unprovenByAccount.delete(account_id);
    if (count > 0) unprovenByAccount.set(account_id, count);
  };
  const accountIsFull = ({ account_id }: WebhookState): boolean =>
    (unprovenByAccount.get(account_id) ?? 0) >= (UNPROVEN_SLOTS - unproven) * ACCOUNT_SHARE_OF_FREE;

  const tryTake = (state: WebhookState): boolean => {
    const fast = state.speed === "fast";
    if (state.in_use >= (fast ? FAST_SLOTS : INITIAL_SLOTS)) return false;
    if (!fast && accountIsFull(state)) return false;
    state.in_use++;
    inUse++;
    if (!fast) countUnproven(state, 1);
    return true;
  };

  const setSpeed = (state: WebhookState, speed: "fast" | "slow") => {
    if (state.speed !== "fast") countUnproven(state, -state.in_use);
    if (speed !== "fast") countUnproven(state, state.in_use);
    if (speed === "fast") state.postponed_until = 0;
    state.speed = speed;
  };

  const postpone = (state: WebhookState): Date => {
    const now = clock.now().getTime();
    const next = state.postponed_until + POSTPONE_STEP_MS[state.speed];
    state.postponed_until = Math.min(Math.max(next, now + QUICK_MS), now + MAX_POSTPONE_MS);
    return new Date(state.postponed_until);
  };

  const wait = (state: WebhookState): Promise<true | Date> =>
    new Promise((resolve) => {
      const unknown = state.speed === "unknown" ? 1 : 0;
      const { ended } = state;
      const answer = (granted: boolean) => {
        state.waiting.delete(answer);
        unknownWaiting -= unknown;
        stop();
        resolve(granted || postpone(state));
      };
      const stop = clock.after(QUICK_MS, () => {
        // Slow: a delivery was running and none ended in all this time. If none was running, others held all
        // the slots; if one has ended, the queue is just long.
        if (state.in_use > 0 && state.ended === ended) setSpeed(state, "slow");
        answer(false);
      });
      state.waiting.add(answer);
      unknownWaiting += unknown;
    });

  return {
    async take(webhook) {
      const state = stateOf(webhook);
      if (tryTake(state)) return true;
      const mayWait =
        state.speed === "fast" || (state.speed === "unknown" && unknownWaiting < MAX_UNKNOWN_WAITING);
      return mayWait ? wait(state) : postpone(state);
    },
    free(webhook_id, held_ms) {
      const state = states.get(webhook_id);
      if (state === undefined) return;
      if (held_ms !== undefined) setSpeed(state, held_ms < QUICK_MS ? "fast" : "slow");
      state.in_use--;
      state.ended++;
      inUse--;
      if (state.speed !== "fast") countUnproven(state, -1);
      for (const answer of state.waiting) {
        if (!tryTake(state)) return;
        answer(true);
      }
    },
    isFast: (webhook_id) => states.get(webhook_id)?.speed === "fast",
    inUse: () => inUse,
  };
}

function dropOldestIdle(states: Map<string, WebhookState>): void {
  for (const [webhook_id, state] of states) {
    if (state.in_use > 0 || state.waiting.size > 0) continue;
    states.delete(webhook_id);
    return;
  }
}
