import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { Dns } from "@letterslot/core/ports";

const TRIES = 2;
const DEFAULT_TIMEOUT_MS = 3_000;

/**
 * A resolver that asks the system's DNS servers, or `server` or one of `servers` (IP addresses with an optional
 * port). Throws if one is malformed. `timeoutMs` is for one try at one server.
 */
export function createDns(
  options: { server?: string; servers?: readonly string[]; timeoutMs?: number; tries?: number } = {},
): Dns {
  const { server, servers = server === undefined ? [] : [server] } = options;
  const { timeoutMs: timeout = DEFAULT_TIMEOUT_MS, tries = TRIES } = options;
  const resolver = new Resolver({ timeout, tries });
  if (servers.length > 0) resolver.setServers(servers.map(normaliseServer));
  return { resolve: ((name: string, type: string) => resolver.resolve(name, type)) as Dns["resolve"] };
}

function normaliseServer(server: string): string {
  const match = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/i.exec(server.trim());
  const host = match?.[1] ?? match?.[2] ?? "";
  const port = Number(match?.[3] ?? 53);
  if (isIP(host) === 0 || port < 1 || port > 65_535)
    throw new Error(`The DNS server must be an IP address and a port, not ${JSON.stringify(server)}.`);
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}
