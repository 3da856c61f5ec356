import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { Dns } from "@letterslot/core";

const TRIES = 2;
const DEFAULT_TIMEOUT_MS = 3_000;

/**
 * A resolver that asks the system's DNS servers, or `server` (an IP address with an optional port). Throws if
 * `server` is malformed.
 */
export function createDns(options: { server?: string; timeout_ms?: number } = {}): Dns {
  const resolver = new Resolver({ timeout: options.timeout_ms ?? DEFAULT_TIMEOUT_MS, tries: TRIES });
  if (options.server !== undefined) resolver.setServers([normaliseServer(options.server)]);
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
