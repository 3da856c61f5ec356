import type { Clock } from "../../ports/clock.ts";

/** Concurrent deliveries to one webhook: few until it has answered quickly. */
const INITIAL_SLOTS = 4;
const FAST_SLOTS = 64;

/** Concurrent deliveries to all webhooks that are known to be fast, and to all others: neither can hold every slot. */
const FAST_TOTAL = 192;
const UNPROVEN_TOTAL = 100;

/** One account may hold this share of the free ones, so that other accounts always find a slot. */
const ACCOUNT_SHARE_OF_FREE = 0.5;

/** An answer within this time is fast. Also the longest wait for a slot. */
const QUICK_MS = 1000;

/** Deliveries that wait for a slot: each occupies a place of the worker. */
const MAX_WAITING = { fast: 100, unproven: 50 };

/** Deliveries to a fast webhook wait where its slots should come free within this time; others are postponed. */
const MAX_FAST_WAIT_MS = 100;

/**
 * Steps between the new times of postponed deliveries to one webhook, so that they don't all come back at
 * once. Those to a fast webhook come back at the pace of its answers.
 */
const POSTPONE_STEP_MS = { unknown: 0, slow: 250 };
const MAX_POSTPONE_MS = 60_000;

/** The weight of the latest answer in the mean response time of a fast webhook. */
const LATEST_WEIGHT = 0.2;

/** Webhooks in memory; beyond that the oldest idle one is dropped. */
const MAX_WEBHOOKS = 10_000;

interface WebhookState {
  account_id: string;
  speed: "unknown" | "fast" | "slow";
  in_use: number;
  /** The number of deliveries that have ended. */
  ended: number;
  waiting: number;
  /** The mean response time of a fast webhook. */
  answer_ms: number;
  postponed_until: number;
  stopWatch?: () => void;
}

/** The slots of deliveries to webhooks of one class of speed, with the share of each account. */
interface Pool {
  total: number;
  in_use: number;
  by_account: Map<string, number>;
}

interface Waiting {
  state: WebhookState;
  answer(granted: boolean): void;
}

/**
 * The delivery slots of this process. A receiver that hangs holds a slot until its request times out. So that
 * a few such receivers can't hold them all, a webhook has 4 slots until it has answered within a second, and
 * then 64 as long as it answers; and an account's webhooks hold at most half as many slots as are free.
 */
export interface DeliverySlots {
  /** True once there is a slot, for which it waits a second at most; otherwise the time to try again. */
  take(webhook: { id: string; account_id: string }): Promise<true | Date>;
  /** Frees a slot. `held_ms` is the receiver's response time; undefined when no request was sent. */
  free(webhook_id: string, held_ms: number | undefined): void;
  /** Whether the webhook's last answer was fast, and none is overdue. */
  isFast(webhook_id: string): boolean;
  /** The number of slots in use. */
  inUse(): number;
}

/** Creates the delivery slots of a process. */
export function createDeliverySlots(clock: Clock): DeliverySlots {
  const states = new Map<string, WebhookState>();
  const fast: Pool = { total: FAST_TOTAL, in_use: 0, by_account: new Map() };
  const unproven: Pool = { total: UNPROVEN_TOTAL, in_use: 0, by_account: new Map() };
  const waiting = new Set<Waiting>();
  const counts = { fast: 0, unproven: 0 };

  const stateOf = ({ id, account_id }: { id: string; account_id: string }): WebhookState => {
    const known = states.get(id);
    if (known !== undefined) return known;
    if (states.size >= MAX_WEBHOOKS) dropOldestIdle(states);
    const state: WebhookState = {
      ...{ account_id, speed: "unknown", answer_ms: QUICK_MS, postponed_until: 0 },
      ...{ in_use: 0, ended: 0, waiting: 0 },
    };
    states.set(id, state);
    return state;
  };

  const poolOf = ({ speed }: WebhookState): Pool => (speed === "fast" ? fast : unproven);

  const tryTake = (state: WebhookState): boolean => {
    if (state.in_use >= (state.speed === "fast" ? FAST_SLOTS : INITIAL_SLOTS)) return false;
    const pool = poolOf(state);
    if (accountIsFull(pool, state.account_id)) return false;
    count(pool, state.account_id, 1);
    state.in_use++;
    state.stopWatch ??= watch(state);
    return true;
  };

  const setSpeed = (state: WebhookState, speed: "fast" | "slow") => {
    count(poolOf(state), state.account_id, -state.in_use);
    if (speed === "fast") state.postponed_until = 0;
    state.speed = speed;
    count(poolOf(state), state.account_id, state.in_use);
  };

  /** Calls a webhook slow when a delivery is under way and none has ended for a second. */
  const watch = (state: WebhookState): (() => void) => {
    const { ended } = state;
    return clock.after(QUICK_MS, () => {
      if (state.ended === ended) setSpeed(state, "slow");
      state.stopWatch = watch(state);
    });
  };

  const paceOf = (state: WebhookState): number =>
    state.speed === "fast" ? state.answer_ms / FAST_SLOTS : POSTPONE_STEP_MS[state.speed];

  const postpone = (state: WebhookState): Date => {
    const now = clock.now().getTime();
    const next = state.postponed_until + paceOf(state);
    state.postponed_until = Math.min(Math.max(next, now + QUICK_MS), now + MAX_POSTPONE_MS);
    return new Date(state.postponed_until);
  };

  const mayWait = (state: WebhookState): boolean => {
    if (state.speed === "slow") return false;
    if (state.speed === "unknown") return counts.unproven < MAX_WAITING.unproven;
    return counts.fast < MAX_WAITING.fast && state.waiting * paceOf(state) <= MAX_FAST_WAIT_MS;
  };

  const wait = (state: WebhookState): Promise<true | Date> =>
    new Promise((resolve) => {
      const kind = state.speed === "fast" ? "fast" : "unproven";
      const one = {
        state,
        answer(granted: boolean) {
          waiting.delete(one);
          state.waiting--;
          counts[kind]--;
          stop();
          resolve(granted || postpone(state));
        },
      };
      const stop = clock.after(QUICK_MS, () => one.answer(false));
      waiting.add(one);
      state.waiting++;
      counts[kind]++;
    });

  return {
    async take(webhook) {
      const state = stateOf(webhook);
      if (tryTake(state)) return true;
      return mayWait(state) ? wait(state) : postpone(state);
    },
    free(webhook_id, held_ms) {
      const state = states.get(webhook_id);
      if (state === undefined) return;
      if (held_ms !== undefined) {
        state.answer_ms += (held_ms - state.answer_ms) * (state.speed === "fast" ? LATEST_WEIGHT : 1);
        setSpeed(state, held_ms < QUICK_MS ? "fast" : "slow");
      }
      state.in_use--;
      state.ended++;
      count(poolOf(state), state.account_id, -1);
      if (state.in_use === 0) {
        state.stopWatch?.();
        delete state.stopWatch;
      }
      for (const { state: other, answer } of waiting) if (tryTake(other)) answer(true);
    },
    isFast: (webhook_id) => states.get(webhook_id)?.speed === "fast",
    inUse: () => fast.in_use + unproven.in_use,
  };
}

const accountIsFull = ({ total, in_use, by_account }: Pool, account_id: string): boolean =>
  (by_account.get(account_id) ?? 0) >= (total - in_use) * ACCOUNT_SHARE_OF_FREE;

function count(pool: Pool, account_id: string, change: number): void {
  const held = (pool.by_account.get(account_id) ?? 0) + change;
  pool.in_use += change;
  if (held === 0) pool.by_account.delete(account_id);
  else pool.by_account.set(account_id, held);
}

function dropOldestIdle(states: Map<string, WebhookState>): void {
  for (const [webhook_id, state] of states) {
    if (state.in_use > 0 || state.waiting > 0) continue;
    states.delete(webhook_id);
    return;
  }
}
