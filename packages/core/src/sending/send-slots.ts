import type { Transport } from "../ports/transport.ts";

/** How many mails are with the transport at once, in this process. */
const placesAtOnce = 10;

/**
 * How many more wait for a place; what comes beyond is put off, so that a mail server that hangs can't hold
 * every worker.
 */
const waitingAtMost = 90;

/** Places for mails that are being handed over. */
export interface SendSlots {
  /** True once there is a place; false at once when too many wait already. */
  take(): Promise<boolean>;
  /** Gives a place back. */
  give(): void;
}

const known = new WeakMap<Transport, SendSlots>();

/** The places of a transport, the same for all who ask in this process. */
export function sendSlotsOf(transport: Transport): SendSlots {
  const places = known.get(transport) ?? createSendSlots();
  known.set(transport, places);
  return places;
}

/** Places of which none is taken. */
export function createSendSlots(): SendSlots {
  const waiting: ((got: boolean) => void)[] = [];
  let taken = 0;
  return {
    async take() {
      if (taken < placesAtOnce) {
        taken++;
        return true;
      }
      if (waiting.length >= waitingAtMost) return false;
      return new Promise((resolve) => void waiting.push(resolve));
    },
    give() {
      const next = waiting.shift();
      if (next === undefined) taken--;
      else next(true);
    },
  };
}
