import type { StorageWriter } from "../../ports/storage.ts";
import { addressGroup, isLoopbackClient } from "../client-address.ts";
import { countOrFail } from "../rate.ts";
import { hashSecret } from "../secrets.ts";

const HOUR_MS = 3600_000;

/** The kind of letter that is counted, by itself, and how many there may be. */
export interface LetterCaps {
  kind: string;
  per_ip_hour: number;
  per_address_day: number;
}

/**
 * Counts a letter with a code: for the network of whoever asks for it, but for programs on this machine, and for the
 * address that gets it. Fails with `rate_limited`.
 */
export async function countLetter(
  storage: StorageWriter,
  { kind, per_ip_hour, per_address_day }: LetterCaps,
  { email, ip }: { email: string; ip: string | null },
  now: Date,
): Promise<void> {
  if (ip !== null && !isLoopbackClient(ip))
    await countOrFail(
      storage,
      { name: `${kind}-ip:${addressGroup(ip)}`, max: per_ip_hour, window_ms: HOUR_MS },
      now,
    );
  await countOrFail(
    storage,
    { name: `${kind}-to:${hashSecret(email)}`, max: per_address_day, window_ms: 24 * HOUR_MS },
    now,
  );
}
