import { BlockList, isIP } from "node:net";

/** Networks of IP addresses. */
export type Networks = BlockList;

/**
 * Parses networks from texts such as `10.0.0.0/8` and `fd12::/16`; a single address is a network of one. Throws a
 * `RangeError` that names a text that is no network.
 */
export function networkList(texts: readonly string[]): Networks {
  const list = new BlockList();
  for (const text of texts) {
    const [address = "", bits] = text.trim().split("/");
    const family = isIP(address);
    const longest = family === 6 ? 128 : 32;
    const prefix = bits === undefined ? longest : Number(bits);
    if (family === 0 || !/^\d+$/.test(bits ?? "0") || prefix > longest)
      throw new RangeError(`${text} is not a network such as 10.0.0.0/8`);
    list.addSubnet(address, prefix, family === 6 ? "ipv6" : "ipv4");
  }
  return list;
}

/** Whether an IP address is in one of the networks; false for anything else. IPv4-mapped addresses count as IPv4. */
export function isInNetworks(address: string, networks: Networks): boolean {
  const family = isIP(address);
  return family !== 0 && networks.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** IPv4 beyond public unicast: IANA's special-purpose registry, and multicast. */
const SPECIAL_V4 = networkList([
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"],
  ...["192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4"],
  // Azure's WireServer hands out credentials from an address in a public range.
  "168.63.129.16",
]);
/** The only public unicast range of IPv6. */
const UNICAST_V6 = networkList(["2000::/3"]);
/** The special ranges within it: protocol assignments, documentation, and forms that embed an IPv4 address. */
const SPECIAL_V6 = networkList(["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"]);
const MAPPED = networkList(["::ffff:0:0/96"]);

/**
 * Whether an IP address is public: not private, loopback, link-local, carrier-grade NAT, multicast, unspecified or
 * reserved, and no IPv6 form that embeds an IPv4 address (NAT64, 6to4, Teredo), which a gateway could translate to a
 * private one. IPv4-mapped addresses count as IPv4; a text that is no address isn't public.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes("%")) return false;
  if (family === 4) return !isInNetworks(address, SPECIAL_V4);
  if (isInNetworks(address, MAPPED)) return !isInNetworks(address, SPECIAL_V4);
  return isInNetworks(address, UNICAST_V6) && !isInNetworks(address, SPECIAL_V6);
}
