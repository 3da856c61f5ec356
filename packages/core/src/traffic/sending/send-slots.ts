import type { Clock } from "../../ports/clock.ts";
import type { Transport } from "../../ports/transport.ts";

/** The number of mails handed to the transport concurrently, per process. */
const MAX_TAKEN = 20;

/** The number of mails that may wait for a slot; the rest are postponed, so that a hanging server can't block every worker. */
const MAX_WAITING = 90;

/** One sender may hold this share of what is free, so that others always find a slot. */
const SHARE_OF_FREE = 0.5;

/**
 * Postponed mails of one sender are called back as its others leave. Those that nobody calls, as after a restart, come
 * back by themselves at the pace of its sends, the first after a second.
 */
const POSTPONE_MS = { first: 1000, most: 60_000 };

/** Postponed mails are called back together, once fewer than these are on their way. */
const CALLED_TOGETHER = 20;
const ON_THEIR_WAY = 10;

/** The number of postponed mails that are remembered, of all senders. */
const MAX_POSTPONED = 10_000;

/** The time for which a mail holds its slot: the mean for each sender, and what is assumed before its first mail. */
const HELD_MS = { first: 50, latest_weight: 0.2 };

/** Slots for mails being handed to a transport, shared among senders: accounts, and the letters to an account's people. */
export interface SendSlots {
  /** Resolves to true once a slot is free; or at once to the time to try again when too many wait already. */
  take(sender: string, job_id: string): Promise<true | Date>;
  /** Returns a slot of that sender, which it held for that time. */
  give(sender: string, held_ms: number): void;
  /** Remembers the job of a mail that is postponed now. */
  postponed(sender: string, job_id: string): void;
  /** Returns the jobs of postponed mails whose turn is near, which the caller makes due; each is returned once. */
  callBack(sender: string): string[];
}

const known = new WeakMap<Transport, SendSlots>();

/** The slots of a transport, shared within this process. */
export function sendSlotsOf(transport: Transport, clock: Clock): SendSlots {
  const slots = known.get(transport) ?? createSendSlots(clock);
  known.set(transport, slots);
  return slots;
}

interface SenderState {
  taken: number;
  waiting: (() => void)[];
  held_ms: number;
  postponed_until: number;
  postponed: Set<string>;
  /** Those that were called back and have not asked for a slot since. */
  called: number;
}

/** Creates a set of free slots. */
export function createSendSlots(clock: Clock): SendSlots {
  const senders = new Map<string, SenderState>();
  let taken = 0;
  let waiting = 0;
  let remembered = 0;

  const stateOf = (sender: string): SenderState => {
    const state = senders.get(sender) ?? {
      ...{ taken: 0, held_ms: HELD_MS.first, postponed_until: 0, called: 0 },
      ...{ waiting: [], postponed: new Set() },
    };
    senders.set(sender, state);
    return state;
  };
  const tryTake = (state: SenderState): boolean => {
    if (state.taken >= (MAX_TAKEN - taken) * SHARE_OF_FREE) return false;
    state.taken++;
    taken++;
    return true;
  };
  const postpone = (state: SenderState): Date => {
    const now = clock.now().getTime();
    const pace_ms = state.held_ms / Math.max(1, state.taken);
    const next = Math.max(state.postponed_until + pace_ms, now + POSTPONE_MS.first);
    state.postponed_until = Math.min(next, now + POSTPONE_MS.most);
    return new Date(state.postponed_until);
  };

  return {
    async take(sender, job_id) {
      const state = stateOf(sender);
      if (state.postponed.delete(job_id)) remembered--;
      state.called = Math.max(0, state.called - 1);
      if (state.waiting.length === 0 && tryTake(state)) return true;
      if (state.waiting.length >= (MAX_WAITING - waiting) * SHARE_OF_FREE) return postpone(state);
      waiting++;
      return new Promise((resolve) => void state.waiting.push(() => resolve(true)));
    },
    give(sender, held_ms) {
      const state = stateOf(sender);
      state.held_ms += (held_ms - state.held_ms) * HELD_MS.latest_weight;
      state.taken--;
      taken--;
      // The next turn is that of the sender who has waited longest since its last one.
      senders.delete(sender);
      const busy = state.taken > 0 || state.waiting.length > 0;
      // Another process may have those that were called.
      if (!busy) state.called = 0;
      if (busy || state.postponed.size > 0 || state.postponed_until > clock.now().getTime())
        senders.set(sender, state);
      for (const other of senders.values()) {
        if (other.waiting.length === 0 || !tryTake(other)) continue;
        waiting--;
        other.waiting.shift()?.();
      }
    },
    postponed(sender, job_id) {
      if (remembered >= MAX_POSTPONED) return;
      stateOf(sender).postponed.add(job_id);
      remembered++;
    },
    callBack(sender) {
      const state = senders.get(sender);
      if (state === undefined || state.waiting.length + state.called >= ON_THEIR_WAY) return [];
      const called = [...state.postponed.values().take(CALLED_TOGETHER)];
      for (const job_id of called) state.postponed.delete(job_id);
      remembered -= called.length;
      state.called += called.length;
      return called;
    },
  };
}
