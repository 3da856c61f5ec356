import { Resolver } from "node:dns/promises";
import { type Dns, type DnsZones, fail } from "@letterslot/core/ports";
import { openCloudflareZone } from "./cloudflare/cloudflare-zone.ts";
import { createDestinations } from "./rfc2136/destinations.ts";
import { openUpdateZone } from "./rfc2136/update-zone.ts";
import { isInZone } from "./zone-names.ts";

/** Options for reaching the DNS providers of a deployment's customers. */
export interface DnsZonesOptions {
  /**
   * Networks of name servers that may be reached although they aren't public, such as `10.0.0.0/8`. Cloudflare
   * is reached in any case.
   */
  allow?: readonly string[];
  /** Looks up the addresses of name servers; by default with the system's resolver. */
  dns?: Dns;
  /** The URL of Cloudflare's API; defaults to the public one. */
  cloudflareUrl?: string;
  /** Time limit for each request to a provider, in milliseconds; 10 seconds by default. */
  timeoutMs?: number;
}

const CLOUDFLARE_URL = "https://api.cloudflare.com/client/v4";
const TIMEOUT_MS = 10_000;

/**
 * Opens zones at Cloudflare, by its API, and at name servers that take updates (RFC 2136) signed with a key (TSIG, RFC
 * 8945). Throws a `RangeError` if an entry of `allow` isn't a network.
 */
export function createDnsZones({
  allow = [],
  dns = systemDns(),
  cloudflareUrl: cloudflare_url = CLOUDFLARE_URL,
  timeoutMs: timeout_ms = TIMEOUT_MS,
}: DnsZonesOptions = {}): DnsZones {
  const destinations = createDestinations(allow, dns);
  return {
    open({ provider, zone, domain, credentials }) {
      if (zone !== null && !isInZone(domain, zone)) throw fail("dns_zone_mismatch", { param: "dns.zone" });
      const names = { domain, zone };
      return provider === "cloudflare"
        ? openCloudflareZone(names, { ...credentials, url: cloudflare_url, timeout_ms })
        : openUpdateZone(names, { key: credentials, destinations, timeout_ms });
    },
  };
}

const LOOK_UP_MS = 3000;
const LOOK_UP_TRIES = 2;

/** The resolvers that the system is configured with, asked directly: libuv's few threads stay free. */
function systemDns(): Dns {
  const resolver = new Resolver({ timeout: LOOK_UP_MS, tries: LOOK_UP_TRIES });
  return { resolve: (name: string, type: string) => resolver.resolve(name, type) as Promise<never> };
}
