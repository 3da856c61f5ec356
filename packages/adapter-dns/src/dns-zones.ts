import { type Dns, type DnsZones, fail } from "@letterslot/core";
import { openCloudflareZone } from "./cloudflare/cloudflare-zone.ts";
import { createDestinations } from "./rfc2136/destinations.ts";
import { openUpdateZone } from "./rfc2136/update-zone.ts";
import { systemDns } from "./system-dns.ts";
import { isInZone } from "./zone-names.ts";

/** How a deployment reaches whoever has the DNS of its customers. */
export interface DnsZonesOptions {
  /**
   * Networks of name servers that may be reached although they aren't public, such as `10.0.0.0/8`. Cloudflare
   * is reached in any case.
   */
  allow?: readonly string[];
  /** Looks up the addresses of name servers; by default what the system is configured with. */
  dns?: Dns;
  /** Where Cloudflare's API is; by default at Cloudflare. */
  cloudflare_url?: string;
  /** Time limit for each request to a provider, in milliseconds; 10 seconds by default. */
  timeout_ms?: number;
}

const CLOUDFLARE_URL = "https://api.cloudflare.com/client/v4";
const TIMEOUT_MS = 10_000;

/**
 * The zones at Cloudflare, by its API, and those of name servers that take updates (RFC 2136) signed with a key
 * (TSIG, RFC 8945). Throws a `RangeError` if `allow` has what is no network.
 */
export function createDnsZones({
  allow = [],
  dns = systemDns(),
  cloudflare_url = CLOUDFLARE_URL,
  timeout_ms = TIMEOUT_MS,
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
