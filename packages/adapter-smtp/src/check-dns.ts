import type { Dns } from "@letterslot/core";
import { dnsError } from "./cached-dns.ts";

/**
 * Look-ups that one mail may cause: SPF takes up to 20, each signature and each seal one, DMARC up to nine
 * and more to place signers.
 */
export const MAX_LOOKUPS_PER_MAIL = 60;

/** A resolver as mailauth takes it. */
export type MailauthResolver = (name: string, type: string) => Promise<string[][] | string[]>;

/**
 * A resolver for one mail: a question that comes later than `begins_within_ms`, or after
 * `MAX_LOOKUPS_PER_MAIL` others, fails with `ETIMEOUT`, which makes the result a temporary error and never a
 * pass. How long one may take is for `dns` to bound.
 */
export function createCheckResolver(dns: Dns, begins_within_ms: number): MailauthResolver {
  const ends = performance.now() + begins_within_ms;
  let asked = 0;
  return async (name, type) => {
    asked += 1;
    if (asked > MAX_LOOKUPS_PER_MAIL || performance.now() > ends) throw dnsError("ETIMEOUT");
    return dns.resolve(name, type as "TXT");
  };
}
