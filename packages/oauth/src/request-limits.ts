import { type Letterslot, LIMITS } from "@letterslot/core";
import { addressGroup, count } from "@letterslot/core/internal";

const HOUR_MS = 3600_000;

const MAX = {
  register: LIMITS.oauth_registrations_per_hour,
  authorize: LIMITS.oauth_authorizations_per_hour,
  document: LIMITS.oauth_documents_per_hour,
} as const;

/** Counts a request of an address, and says whether it is within the limit of its kind. */
export function countRequest(
  { storage, clock }: Letterslot["services"],
  kind: keyof typeof MAX,
  ip: string | null,
): ReturnType<typeof count> {
  const cap = { name: `oauth-${kind}:${placeOf(ip)}`, max: MAX[kind], window_ms: HOUR_MS };
  return count(storage, cap, clock.now());
}

const placeOf = (ip: string | null): string => (ip === null || ip === "" ? "here" : addressGroup(ip));
