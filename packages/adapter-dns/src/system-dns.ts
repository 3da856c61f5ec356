import { Resolver } from "node:dns/promises";
import type { Dns } from "@letterslot/core";

const TIMEOUT_MS = 3000;
const TRIES = 2;

/** The resolvers that the system is configured with, asked directly: libuv's few threads stay free. */
export function systemDns(): Dns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  return { resolve: (name: string, type: string) => resolver.resolve(name, type) as Promise<never> };
}
