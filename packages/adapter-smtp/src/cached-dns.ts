import type { Dns } from "@letterslot/core";

/**
 * How long an answer is believed. Node's resolver doesn't say how long a TXT record may be kept, so it is as
 * short as records are commonly published for: a rotated key is seen soon.
 */
export const DNS_CACHE_MS = 300_000;
/** How long it is believed that there is none: whoever has just published a record tries again soon. */
export const DNS_NEGATIVE_CACHE_MS = 60_000;
/** Names kept at a time. */
export const DNS_CACHE_NAMES = 1_000;
const KEPT_FAILURES = new Set(["ENOTFOUND", "ENODATA"]);

interface Entry {
  until: number;
  answer: Promise<unknown>;
}

/**
 * A resolver that remembers answers, also that there is none, and asks each question once at a time. A
 * question that takes longer than `timeout_ms` fails with `ETIMEOUT`. Trouble is never remembered, and
 * nothing for longer than `keep_ms`. `steady` is a clock in milliseconds that never jumps.
 */
export function createCachedDns(options: {
  dns: Dns;
  timeout_ms: number;
  keep_ms?: number;
  steady?: () => number;
}): Dns {
  const { keep_ms = DNS_CACHE_MS } = options;
  const steady = options.steady ?? (() => performance.now());
  const entries = new Map<string, Entry>();

  function lookUp(name: string, type: "TXT"): Promise<unknown> {
    const key = `${type} ${name.toLowerCase().replace(/\.$/, "")}`;
    const known = entries.get(key);
    if (known !== undefined && known.until > steady()) return known.answer;
    const answer = withTimeout(options.dns.resolve(name, type), options.timeout_ms);
    entries.delete(key);
    const entry = { until: steady() + keep_ms, answer };
    entries.set(key, entry);
    answer.catch((error: unknown) => {
      if (entries.get(key) !== entry) return;
      if (KEPT_FAILURES.has(codeOf(error))) entry.until = steady() + Math.min(keep_ms, DNS_NEGATIVE_CACHE_MS);
      else entries.delete(key);
    });
    const oldest = entries.keys().next();
    if (entries.size > DNS_CACHE_NAMES && !oldest.done) entries.delete(oldest.value);
    return answer;
  }

  return { resolve: lookUp as Dns["resolve"] };
}

/** The code that node:dns puts on its errors, or an empty string. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** An error as node:dns has them. */
export function dnsError(code: string): Error {
  return Object.assign(new Error(`DNS look-up failed: ${code}`), { code });
}

function withTimeout<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(dnsError("ETIMEOUT")), milliseconds);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
