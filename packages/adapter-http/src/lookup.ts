import { Resolver, lookup as systemLookup } from "node:dns/promises";
import { isLocalName } from "./destination.ts";

/** One address of a host. */
export interface HostAddress {
  address: string;
  family: number;
}

/** Finds the addresses of a host, or fails like node:dns. */
export type Lookup = (hostname: string) => Promise<HostAddress[]>;

const dnsTimeoutMs = 3000;
const dnsTries = 2;

/**
 * Looks public names up in DNS without the system's resolver: that one has only a few threads, which file
 * access shares, so that a stranger's slow name server could hold the process up. Names that DNS does not
 * give out go to the system, hosts file and all.
 */
export function createLookup(): Lookup {
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: dnsTries });
  return async (hostname) => {
    if (isLocalName(hostname)) return systemLookup(hostname, { all: true });
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [...found(v4, 4), ...found(v6, 6)];
    if (addresses.length === 0 && v4.status === "rejected") throw v4.reason;
    return addresses;
  };
}

function found(answer: PromiseSettledResult<string[]>, family: number): HostAddress[] {
  return answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
}
