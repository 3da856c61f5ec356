import { isIPv4, isIPv6 } from "node:net";

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

/**
 * The network that places are shared out by: the /24 of an IPv4 address or the /64 of an IPv6 address, which
 * one sender often has whole. Null for a local client or none.
 */
export function clientNetwork(address: string | null): string | null {
  if (address === null || isLocalClient(address)) return null;
  if (!isIPv4(address)) return clientSource(address);
  return `${address.slice(0, address.lastIndexOf("."))}.0/24`;
}

/** Whether a client is this machine by its usual addresses, such as a relay or tunnel; no other 127.x.y.z. */
export function isLocalClient(address: string): boolean {
  return address === "::1" || address === "127.0.0.1";
}
