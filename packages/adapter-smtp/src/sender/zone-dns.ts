import { type Dns, isAbsent, isInNetworks, isPublicAddress, networkList } from "@letterslot/core/ports";
import { withTimeout } from "@letterslot/node-kit";
import { createCachedDns, DNS_NEGATIVE_CACHE_MS, dnsError, timedOut } from "./cached-dns.ts";
import { createDns } from "./dns.ts";

/** Time limit for the name servers of a zone, after which the system's resolver is asked instead. */
const ZONE_TIMEOUT_MS = 3_000;
/** Time limit for one of a zone's name servers, after which the next is asked. */
const SERVER_TIMEOUT_MS = 1_000;
/** The maximum number of name servers of a zone, and of addresses of all of them, that are queried. */
const MAX_NAME_SERVERS = 4;
const MAX_ADDRESSES = 4;
const MAX_ALIASES = 8;
/** Time limit for the resolver that finds name servers, including its second try. */
const SYSTEM_TIMEOUT_MS = 6_000;

/** The resolvers and name servers to ask. */
export interface ZoneDnsOptions {
  /** The resolver that finds a zone's name servers, and is asked when they don't answer; by default the system's. */
  system?: Dns;
  /** Networks whose name servers may be asked although they aren't public, such as `127.0.0.0/8`. */
  allow?: readonly string[];
  /** The port of name servers; 53 unless they are ones of a test. */
  port?: number;
}

/**
 * A resolver that asks a zone's own name servers, so that no stale cached answer counts, and the system's resolver when
 * they don't answer within 3 seconds. It asks public addresses only, since a zone's owner chooses its name servers.
 */
export function createZoneDns({ system = createDns(), allow = [], port = 53 }: ZoneDnsOptions = {}): Dns {
  const networks = networkList(allow);
  const mayBeAsked = (address: string) => isPublicAddress(address) || isInNetworks(address, networks);
  const finding = createCachedDns({
    dns: system,
    timeoutMs: SYSTEM_TIMEOUT_MS,
    ttlMs: DNS_NEGATIVE_CACHE_MS,
  });

  /** The addresses of the name servers of the zone that a name is in. Fails when they can't be found. */
  async function serversOf(name: string): Promise<string[]> {
    const labels = name.split(".");
    // The name servers of a top-level domain only know where to ask next.
    for (let start = 0; start < labels.length - 1; start += 1) {
      const names = await orNone(finding.resolve(labels.slice(start).join("."), "NS"));
      if (names.length === 0) continue;
      const found = await Promise.all(names.slice(0, MAX_NAME_SERVERS).map(addressesOf));
      return found.flat().filter(mayBeAsked).slice(0, MAX_ADDRESSES);
    }
    return [];
  }

  async function addressesOf(host: string): Promise<string[]> {
    const [v4, v6] = await Promise.allSettled([finding.resolve(host, "A"), finding.resolve(host, "AAAA")]);
    return [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  }

  async function askZone(name: string, type: "TXT", aliases: number): Promise<string[][]> {
    const servers = await serversOf(name);
    if (servers.length === 0 || aliases > MAX_ALIASES) throw dnsError("ESERVFAIL");
    const zone = createDns({
      servers: servers.map((address) =>
        address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`,
      ),
      timeoutMs: SERVER_TIMEOUT_MS,
      tries: 1,
    });
    try {
      return await zone.resolve(name, type);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      // An alias into another zone is resolved by that zone.
      const [alias] = await orNone(zone.resolve(name, "CNAME"));
      if (alias === undefined || (type as string) === "CNAME") throw error;
      return askZone(alias.toLowerCase(), type, aliases + 1);
    }
  }

  async function resolve(name: string, type: "TXT"): Promise<string[][]> {
    try {
      return await withTimeout(
        ZONE_TIMEOUT_MS,
        askZone(name.toLowerCase().replace(/\.$/, ""), type, 0),
        timedOut,
      );
    } catch (error) {
      if (isAbsent(error)) throw error;
      return system.resolve(name, type);
    }
  }

  return { resolve: resolve as Dns["resolve"] };
}

/** The records that were found; none when there are none. */
async function orNone(looking: Promise<string[]>): Promise<string[]> {
  try {
    return await looking;
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}
