import { Resolver, lookup as systemLookup } from "node:dns/promises";
import { isLocalName } from "./destination.ts";

/** An IP address of a host, and its family: 4 or 6. */
export interface HostAddress {
  address: string;
  family: number;
}

/** Looks up the addresses of a host; fails like node:dns. */
export type Lookup = (hostname: string) => Promise<HostAddress[]>;

const DNS_TIMEOUT_MS = 3000;
const DNS_TRIES = 2;

/**
 * Looks up public names in DNS directly: the system resolver runs on libuv's few threads, which it shares
 * with file access, so that a stranger's slow name server could stall the process. Local names go to the
 * system resolver, which reads the hosts file.
 */
export function createLookup(): Lookup {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
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
