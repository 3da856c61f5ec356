import { isIPv4, isIPv6 } from "node:net";

const MAPPED_PREFIX = /^::ffff:(?=\d+\.)/i;

/** Whether a client's address is a loopback address. */
export function isLoopbackClient(ip: string): boolean {
  const plain = ip.replace(MAPPED_PREFIX, "");
  return plain === "::1" || (isIPv4(plain) && plain.startsWith("127."));
}

/**
 * Returns the key of rate limits per IP: the IPv4 address, or the /64 of an IPv6 address, since one host usually has a
 * whole /64 and could use a new address for every call.
 */
export function addressGroup(ip: string): string {
  const plain = ip.replace(MAPPED_PREFIX, "");
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = (plain.split("%")[0] ?? "").toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  const whole = [
    ...groups,
    ...Array<string>(Math.max(0, missing)).fill("0"),
    ...(tail ? tail.split(":") : []),
  ];
  return `${whole
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
