import ipaddr from "ipaddr.js";

/** Says whether a connection to an IP address is allowed. What is not an address is not. */
export type AddressRule = (address: string) => boolean;

/**
 * Networks that tests or deployments name, such as `127.0.0.0/8` or `fd12::/16`; a lone address is a network
 * of one.
 */
export type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Reads a list of networks. Throws for a word that is none, and names it. */
export function parseNetworks(words: readonly string[]): Network[] {
  return words.map((word) => {
    const text = word.trim();
    if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
    if (!ipaddr.isValid(text)) throw new Error(`${JSON.stringify(word)} is not a network such as 10.0.0.0/8`);
    const address = ipaddr.parse(text);
    return [address, address.kind() === "ipv4" ? 32 : 128] as Network;
  });
}

/** Only 2000::/3 is given out as public IPv6 space; all else is special or not in use. */
const publicV6 = ipaddr.parseCIDR("2000::/3");

/** The wire server of a large cloud hands out credentials from an address that is public by its form. */
const metadataAddresses = new Set(["168.63.129.16"]);

/**
 * Whether an address is a public one: not private, loopback, link-local, carrier-grade NAT, multicast,
 * unspecified, reserved, nor a form of IPv6 that carries an IPv4 address (mapped, NAT64, 6to4, Teredo), which
 * a gateway could turn into a private one.
 */
export function isPublic(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined || parsed.range() !== "unicast" || metadataAddresses.has(parsed.toString()))
    return false;
  return parsed.kind() === "ipv4" || parsed.match(publicV6);
}

/**
 * Whether an address is in one of the networks; an IPv4 address that is mapped into IPv6 counts as what it
 * is.
 */
export function isWithin(address: string, networks: readonly Network[]): boolean {
  const parsed = parseAddress(address);
  return (
    parsed !== undefined &&
    networks.some((network) => network[0].kind() === parsed.kind() && parsed.match(network))
  );
}

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  return parseAddress(address)?.range() === "loopback";
}

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const plain = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  if (!ipaddr.isValid(plain)) return undefined;
  const parsed = ipaddr.parse(plain);
  return parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed;
}
