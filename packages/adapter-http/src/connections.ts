import { Agent, type Dispatcher } from "undici";
import { type ConnectorOptions, createConnector } from "./connector.ts";
import type { Destinations } from "./destination.ts";

const perHost = 64;
const keepAliveMs = 10_000;
const keepAliveMaxMs = 60_000;

/** The connections to all hosts, each made by the rules and kept for a while. */
export function openConnections(destinations: Destinations, options: ConnectorOptions): Dispatcher {
  const { timeout_ms } = options;
  return new Agent({
    connect: createConnector(destinations, options),
    connections: perHost,
    pipelining: 1,
    allowH2: false,
    headersTimeout: timeout_ms,
    bodyTimeout: timeout_ms,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMaxMs,
  });
}
