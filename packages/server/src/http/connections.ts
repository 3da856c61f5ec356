import type { Socket } from "node:net";
import { LIMITS } from "@letterslot/core";
import { addressGroup } from "@letterslot/core/internal";
import { isInNetworks, type Log, networkList } from "@letterslot/core/ports";

/** This machine's own address; the other addresses of 127.0.0.0/8 are bounded like any. */
const OWN_ADDRESSES = new Set(["127.0.0.1", "::1"]);
const IPV4_PREFIX = /^::ffff:(?=\d+\.)/i;

/**
 * Returns a listener that closes a server's connections beyond 512 from one IPv4 address or IPv6 /64. This machine
 * itself and trusted proxies, which limit their own clients, are exempt. Logs the first refusal of an address.
 */
export function boundConnections(trusted_proxies: readonly string[], log: Log): (socket: Socket) => void {
  const open = new Map<string, number>();
  const refused = new Set<string>();
  const proxies = networkList(trusted_proxies);
  return (socket) => {
    const address = (socket.remoteAddress ?? "").replace(IPV4_PREFIX, "");
    const isExempt = OWN_ADDRESSES.has(address) || isInNetworks(address, proxies);
    if (isExempt) return;
    const group = addressGroup(address);
    const before = open.get(group) ?? 0;
    if (before >= LIMITS.connections_per_address) {
      if (!refused.has(group)) log.warn({ address: group }, "too many connections from one address");
      refused.add(group);
      socket.destroy();
      return;
    }
    open.set(group, before + 1);
    socket.once("close", () => {
      const left = (open.get(group) ?? 1) - 1;
      open.set(group, left);
      if (left > 0) return;
      open.delete(group);
      refused.delete(group);
    });
  };
}
