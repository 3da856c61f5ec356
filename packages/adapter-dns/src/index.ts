export { createDnsZones, type DnsZonesOptions } from "./dns-zones.ts";
