import type { Dns } from "@letterslot/core";
import { dnsError } from "./cached-dns.ts";

/** Look-ups that one mail may cause: SPF takes up to 20, each signature one, DMARC up to nine. */
export const MAX_LOOKUPS_PER_MAIL = 60;

/** A resolver as mailauth takes it. */
export type MailauthResolver = (name: string, type: string) => Promise<string[][] | string[]>;

/**
 * A resolver for one mail: after `deadline_ms` in all, or `MAX_LOOKUPS_PER_MAIL` questions, every further one fails with `ETIMEOUT`,
 * which makes the result a temporary error and never a pass.
 */
export function createCheckResolver(dns: Dns, deadline_ms: number): MailauthResolver {
  const ends = performance.now() + deadline_ms;
  let asked = 0;
  return async (name, type) => {
    asked += 1;
    const left = ends - performance.now();
    if (left <= 0 || asked > MAX_LOOKUPS_PER_MAIL) throw dnsError("ETIMEOUT");
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(dnsError("ETIMEOUT")), left);
    });
    try {
      return await Promise.race<string[][]>([dns.resolve(name, type as "TXT"), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
