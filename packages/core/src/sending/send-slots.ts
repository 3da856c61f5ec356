import type { Transport } from "../ports/transport.ts";

/** How many mails are handed to the transport concurrently, per process. */
const MAX_TAKEN = 10;

/** How many more may wait; the rest are postponed, so that a hanging server can't block every worker. */
const MAX_WAITING = 90;

/** Slots for mails being handed to a transport. */
export interface SendSlots {
  /** Resolves to true once a slot is free, or to false at once when too many wait already. */
  take(): Promise<boolean>;
  /** Returns a slot. */
  give(): void;
}

const known = new WeakMap<Transport, SendSlots>();

/** The slots of a transport, shared within this process. */
export function sendSlotsOf(transport: Transport): SendSlots {
  const slots = known.get(transport) ?? createSendSlots();
  known.set(transport, slots);
  return slots;
}

/** Creates a set of free slots. */
function createSendSlots(): SendSlots {
  const waiting: ((got: boolean) => void)[] = [];
  let taken = 0;
  return {
    async take() {
      if (taken < MAX_TAKEN) {
        taken++;
        return true;
      }
      if (waiting.length >= MAX_WAITING) return false;
      return new Promise((resolve) => void waiting.push(resolve));
    },
    give() {
      const next = waiting.shift();
      if (next === undefined) taken--;
      else next(true);
    },
  };
}
