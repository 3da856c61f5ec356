import type { Dns } from "@letterslot/core/ports";
import { createBoundedMap, withTimeout } from "@letterslot/node-kit";

/**
 * The time that answers are cached. Node's resolver does not report the TTL of TXT records, so this is a common short
 * TTL: a rotated key is noticed soon.
 */
export const DNS_CACHE_MS = 300_000;
/** The time that missing names are cached; short, for records that were just published. */
export const DNS_NEGATIVE_CACHE_MS = 60_000;
/** Names cached at a time. */
export const DNS_CACHE_NAMES = 1_000;
const CACHED_FAILURES = new Set(["ENOTFOUND", "ENODATA"]);

interface Entry {
  expires: number;
  answer: Promise<unknown>;
}

/**
 * A resolver that caches answers, including missing names, for up to `ttlMs`, and shares concurrent lookups
 * of the same name. Other errors are not cached. A lookup longer than `timeoutMs` fails with `ETIMEOUT`.
 * `now` is a monotonic clock in milliseconds.
 */
export function createCachedDns(options: {
  dns: Dns;
  timeoutMs: number;
  ttlMs?: number;
  now?: () => number;
}): Dns {
  const { ttlMs = DNS_CACHE_MS, now = () => performance.now() } = options;
  const entries = createBoundedMap<string, Entry>(DNS_CACHE_NAMES);

  function lookUp(name: string, type: "TXT"): Promise<unknown> {
    const key = `${type} ${name.toLowerCase().replace(/\.$/, "")}`;
    const cached = entries.get(key);
    if (cached !== undefined && cached.expires > now()) return cached.answer;
    const answer = withTimeout(options.timeoutMs, options.dns.resolve(name, type), timedOut);
    const entry = { expires: now() + ttlMs, answer };
    entries.set(key, entry);
    answer.catch((error: unknown) => {
      if (entries.get(key) !== entry) return;
      if (CACHED_FAILURES.has(dnsErrorCode(error)))
        entry.expires = now() + Math.min(ttlMs, DNS_NEGATIVE_CACHE_MS);
      else entries.delete(key);
    });
    return answer;
  }

  return { resolve: lookUp as Dns["resolve"] };
}

/** The code of a node:dns error, or an empty string. */
export function dnsErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** An error like those of node:dns. */
export function dnsError(code: string): Error {
  return Object.assign(new Error(`DNS lookup failed: ${code}`), { code });
}

/** Fails as a look-up that takes too long. */
export const timedOut = (): never => {
  throw dnsError("ETIMEOUT");
};
