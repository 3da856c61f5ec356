import type { Dns } from "@letterslot/core/ports";
import { dnsError } from "./cached-dns.ts";

/**
 * DNS lookups that one message may cause: up to 20 for SPF, one for each signature and seal, nine and more
 * for DMARC.
 */
export const MAX_LOOKUPS_PER_MAIL = 60;

/** A resolver as mailauth expects it. */
export type MailauthResolver = (name: string, type: string) => Promise<string[][] | string[]>;

/**
 * A resolver for one message. A lookup that starts after `start_within_ms`, or after `MAX_LOOKUPS_PER_MAIL`
 * others, fails with `ETIMEOUT`: a temporary error, never a pass. `dns` limits the time of each lookup.
 */
export function createLimitedResolver(dns: Dns, start_within_ms: number): MailauthResolver {
  const deadline = performance.now() + start_within_ms;
  let lookups = 0;
  return (name, type) => {
    lookups += 1;
    if (lookups > MAX_LOOKUPS_PER_MAIL || performance.now() > deadline)
      return Promise.reject(dnsError("ETIMEOUT"));
    try {
      return dns.resolve(name, type as "TXT");
    } catch (error) {
      return Promise.reject(error);
    }
  };
}
