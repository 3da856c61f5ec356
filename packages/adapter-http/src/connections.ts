import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import type { AddressRule } from "./addresses.ts";
import { bareHost, type Destinations } from "./destination.ts";
import type { Lookup } from "./lookup.ts";

const CONNECTIONS_PER_HOST = 64;
const KEEP_ALIVE_MS = 10_000;
const MAX_KEEP_ALIVE_MS = 60_000;

interface ConnectionOptions {
  lookup: Lookup;
  timeout_ms: number;
  /** PEM certificates to trust instead of the system's. */
  ca?: string;
}

/** A pool of keep-alive connections that connects only where `destinations` allows. */
export function openConnections(destinations: Destinations, options: ConnectionOptions): Dispatcher {
  const { timeout_ms } = options;
  return new Agent({
    connect: createConnector(destinations, options),
    connections: CONNECTIONS_PER_HOST,
    pipelining: 1,
    allowH2: false,
    headersTimeout: timeout_ms,
    bodyTimeout: timeout_ms,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
  });
}

/**
 * Checks an IP address in the URL, the addresses of a name right after the lookup (and connects to exactly
 * those, which prevents DNS rebinding), and finally the peer address of the socket.
 */
function createConnector(
  destinations: Destinations,
  { lookup, timeout_ms, ca }: ConnectionOptions,
): buildConnector.connector {
  return (options, callback) => {
    const hostname = bareHost(options.hostname);
    const allowed = destinations.ruleFor(options.protocol, hostname);
    if (isIP(hostname) !== 0 && !allowed(hostname)) return callback(addressRefused(), null);

    const connect = buildConnector({
      allowH2: false,
      timeout: timeout_ms,
      maxCachedSessions: 0,
      autoSelectFamily: true,
      lookup: checkedLookup(lookup, allowed),
      ...(ca === undefined ? {} : { ca }),
    });
    connect(options, (error, socket) => {
      // On failure undici passes no socket, despite its types.
      if (!socket) return callback(error ?? new Error("no connection"), null);
      if (allowed(socket.remoteAddress ?? "")) return callback(null, socket);
      socket.destroy();
      callback(addressRefused(), null);
    });
  };
}

function checkedLookup(lookup: Lookup, allowed: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    const answer = async () => {
      const addresses = await lookup(hostname);
      const usable = addresses.filter(({ address }) => allowed(address));
      const [first] = usable;
      if (first === undefined)
        throw addresses.length === 0
          ? Object.assign(new Error("no address"), { code: "ENOTFOUND" })
          : addressRefused();
      return { first, usable };
    };
    answer().then(
      ({ first, usable }) =>
        options.all ? callback(null, usable) : callback(null, first.address, first.family),
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}

function addressRefused(): Error {
  return Object.assign(new Error("the host's address is not allowed"), { code: "ADDRESS_REFUSED" });
}
