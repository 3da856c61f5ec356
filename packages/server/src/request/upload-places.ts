import { LIMITS } from "@letterslot/core";
import { isLoopbackClient } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";

const RETRY_AFTER_SECONDS = 1;

/** The places of the uploads that one process receives at once. */
export interface UploadPlaces {
  /**
   * Takes a place for a client address, and returns what frees it. Fails with `too_many_bytes` when the process or the
   * address has no more; programs on this machine are as many as there are places.
   */
  take(address: string | null): () => void;
}

/** Creates the places of one process. */
export function createUploadPlaces(): UploadPlaces {
  const held = new Map<string, number>();
  let total = 0;
  return {
    take(address) {
      const counted = address === null || isLoopbackClient(address) ? undefined : address;
      const own = counted === undefined ? 0 : (held.get(counted) ?? 0);
      if (total >= LIMITS.upload_puts_at_once || own >= LIMITS.upload_puts_at_once_each)
        throw fail("too_many_bytes", { retry_after_seconds: RETRY_AFTER_SECONDS });
      total += 1;
      if (counted !== undefined) held.set(counted, own + 1);
      let free = () => {
        total -= 1;
        if (counted === undefined) return;
        const left = (held.get(counted) ?? 1) - 1;
        if (left === 0) held.delete(counted);
        else held.set(counted, left);
      };
      return () => {
        free();
        free = () => {};
      };
    },
  };
}
