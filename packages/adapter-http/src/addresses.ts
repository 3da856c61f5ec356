import ipaddr from "ipaddr.js";

/** Whether a connection to an IP address is allowed; false for anything that is not an address. */
export type AddressRule = (address: string) => boolean;

/** A network such as `127.0.0.0/8` or `fd12::/16`; a single address is a network of one. */
export type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Parses networks. Throws an error that names a malformed one. */
export function parseNetworks(texts: readonly string[]): Network[] {
  return texts.map((given) => {
    const text = given.trim();
    if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
    if (!ipaddr.isValid(text))
      throw new Error(`${JSON.stringify(given)} is not a network such as 10.0.0.0/8`);
    const address = ipaddr.parse(text);
    return [address, address.kind() === "ipv4" ? 32 : 128] as Network;
  });
}

/** The only public unicast range of IPv6. */
const PUBLIC_V6 = ipaddr.parseCIDR("2000::/3");

/** Azure's WireServer hands out credentials from an address in a public range. */
const METADATA_ADDRESSES = new Set(["168.63.129.16"]);

/**
 * Whether an address is public: not private, loopback, link-local, carrier-grade NAT, multicast, unspecified
 * or reserved, and no IPv6 form that embeds an IPv4 address (NAT64, 6to4, Teredo), which a gateway could
 * translate to a private one. IPv4-mapped addresses count as IPv4.
 */
export function isPublic(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined || parsed.range() !== "unicast" || METADATA_ADDRESSES.has(parsed.toString()))
    return false;
  return parsed.kind() === "ipv4" || parsed.match(PUBLIC_V6);
}

/** Whether an address is in one of the networks. IPv4-mapped IPv6 addresses count as IPv4. */
export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const parsed = parseAddress(address);
  return (
    parsed !== undefined &&
    networks.some((network) => network[0].kind() === parsed.kind() && parsed.match(network))
  );
}

/** Whether an address is a loopback address. */
export function isLoopbackAddress(address: string): boolean {
  return parseAddress(address)?.range() === "loopback";
}

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const plain = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  if (!ipaddr.isValid(plain)) return undefined;
  const parsed = ipaddr.parse(plain);
  return parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed;
}
