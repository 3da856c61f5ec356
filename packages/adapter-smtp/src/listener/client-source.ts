import { isIPv6 } from "node:net";

/** The client's address in canonical form: an IPv4-mapped IPv6 address becomes plain IPv4. */
export function clientAddress(remote: string): string {
  return remote.replace(/^::ffff:(?=\d+\.)/i, "");
}

/**
 * The key that limits count by: an IPv4 address, or the /64 of an IPv6 address, since one host often owns all
 * of it.
 */
export function clientSource(address: string): string {
  if (!isIPv6(address)) return address;
  const canonical = new URL(`http://[${address.split("%")[0]}]`).hostname.slice(1, -1);
  const [front = [], back = []] = canonical
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array<string>(8 - front.length - back.length).fill("0");
  return `${[...front, ...zeros, ...back].slice(0, 4).join(":")}::/64`;
}

export function isLocalClient(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}
