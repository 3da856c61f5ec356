import type { Clock } from "../../ports/clock.ts";
import type { Transport } from "../../ports/transport.ts";

/** The number of mails handed to the transport concurrently, per process. */
const MAX_TAKEN = 20;

/** The number of mails that may wait for a slot; the rest are postponed, so that a hanging server can't block every worker. */
const MAX_WAITING = 90;

/** One sender may hold this share of what is free, so that others always find a slot. */
const SHARE_OF_FREE = 0.5;

/** Postponed mails of one sender come back at the pace of its sends, the first after a second. */
const POSTPONE_MS = { first: 1000, most: 60_000 };

/** The time for which a mail holds its slot: the mean for each sender, and what is assumed before its first mail. */
const HELD_MS = { first: 50, latest_weight: 0.2 };

/** Slots for mails being handed to a transport, shared among senders: accounts, and the letters to an account's people. */
export interface SendSlots {
  /** Resolves to true once a slot is free; or at once to the time to try again when too many wait already. */
  take(sender: string): Promise<true | Date>;
  /** Returns a slot of that sender, which it held for that time. */
  give(sender: string, held_ms: number): void;
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
}

/** Creates a set of free slots. */
export function createSendSlots(clock: Clock): SendSlots {
  const senders = new Map<string, SenderState>();
  let taken = 0;
  let waiting = 0;

  const stateOf = (sender: string): SenderState => {
    const state = senders.get(sender) ?? {
      ...{ taken: 0, held_ms: HELD_MS.first, postponed_until: 0 },
      waiting: [],
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
    async take(sender) {
      const state = stateOf(sender);
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
      if (state.taken > 0 || state.waiting.length > 0 || state.postponed_until > clock.now().getTime())
        senders.set(sender, state);
      for (const other of senders.values()) {
        if (other.waiting.length === 0 || !tryTake(other)) continue;
        waiting--;
        other.waiting.shift()?.();
      }
    },
  };
}
