import { LIMITS } from "@letterslot/core";
import { fail } from "@letterslot/core/ports";

/** The bytes of all request bodies that this process has received and not yet answered. */
export interface BodyBudget {
  /** Opens the share of one request, counted for each of its holders: its key and its address. */
  open(holders: readonly string[]): BodyShare;
}

/** One request's share of the budget. */
export interface BodyShare {
  /**
   * Counts bytes that have arrived. Fails with `too_many_bytes` when the process, the key or the address has
   * too many.
   */
  add(bytes: number): void;
  /** Gives all of them back, once the request is answered. */
  close(): void;
}

const RETRY_AFTER_SECONDS = 1;

/**
 * Creates the budget of one process: 256 MB in all, of which 32 MB are kept for bodies of at most 256 KB, so
 * that large uploads never keep small requests out; 64 MB for one key and for one address.
 */
export function createBodyBudget(): BodyBudget {
  const held = new Map<string, number>();
  let total = 0;
  const change = (holder: string, bytes: number) => {
    const now = (held.get(holder) ?? 0) + bytes;
    if (now === 0) held.delete(holder);
    else held.set(holder, now);
    return now;
  };
  const forLarge = LIMITS.bodies_in_flight_bytes - LIMITS.bodies_in_flight_kept_bytes;

  return {
    open(holders) {
      let own = 0;
      return {
        add(bytes) {
          own += bytes;
          total += bytes;
          const each = Math.max(0, ...holders.map((holder) => change(holder, bytes)));
          const max = own > LIMITS.json_parsed_at_once_bytes ? forLarge : LIMITS.bodies_in_flight_bytes;
          if (total > max || each > LIMITS.bodies_in_flight_bytes_each)
            throw fail("too_many_bytes", { retry_after_seconds: RETRY_AFTER_SECONDS });
        },
        close() {
          for (const holder of holders) change(holder, -own);
          total -= own;
          own = 0;
        },
      };
    },
  };
}
