import { type Client, createClient } from "@letterslot/client";
import type { OwnDomain } from "@letterslot/core/internal";
import type { Config } from "../config.ts";

/** A server that runs with this configuration. */
export interface RunningServer {
  base_url: string;
  status: string;
  degraded: string[];
  mail_domain: OwnDomain | null;
}

/** The address at which this machine reaches what listens at a host. */
export const reachableHost = (host: string): string =>
  ({ "0.0.0.0": "127.0.0.1", "::": "[::1]" })[host] ?? (host.includes(":") ? `[${host}]` : host);

/** The server that answers at HOST and PORT; undefined if none does, or something else. */
export async function findRunning(
  { host, port }: Pick<Config, "host" | "port">,
  signal: AbortSignal,
): Promise<RunningServer | undefined> {
  if (port === 0) return undefined;
  const base_url = `http://${reachableHost(host)}:${port}`;
  try {
    const answer = await fetch(`${base_url}/readyz?verbose`, { signal, redirect: "manual" });
    const { status, degraded = [], mail_domain = null } = (await answer.json()) as Partial<RunningServer>;
    return typeof status === "string" ? { base_url, status, degraded, mail_domain } : undefined;
  } catch {
    return undefined;
  }
}

/** A client of the running server with the key of the environment; undefined without one. */
export function clientOf({ base_url }: RunningServer, environment: NodeJS.ProcessEnv): Client | undefined {
  const api_key = environment["LETTERSLOT_API_KEY"];
  return api_key === undefined || api_key === ""
    ? undefined
    : createClient({ baseUrl: base_url, apiKey: api_key });
}
