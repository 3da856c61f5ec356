import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { Dns } from "@letterslot/core";

/** How often and how long the system's resolver asks one server before it gives up. */
const TRIES = 2;
const DEFAULT_TIMEOUT_MS = 3_000;

/**
 * Looks names up with the system's servers, or with `server` (`host:port`, the host an IP address). Throws
 * for a server that can't be read.
 */
export function createDns(options: { server?: string; timeout_ms?: number } = {}): Dns {
  const resolver = new Resolver({ timeout: options.timeout_ms ?? DEFAULT_TIMEOUT_MS, tries: TRIES });
  if (options.server !== undefined) resolver.setServers([checkedServer(options.server)]);
  return { resolve: ((name: string, type: string) => resolver.resolve(name, type)) as Dns["resolve"] };
}

function checkedServer(server: string): string {
  const match = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/i.exec(server.trim());
  const host = match?.[1] ?? match?.[2] ?? "";
  const port = Number(match?.[3] ?? 53);
  if (isIP(host) === 0 || port < 1 || port > 65_535)
    throw new Error(`The DNS server must be an IP address and a port, not ${JSON.stringify(server)}.`);
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}
