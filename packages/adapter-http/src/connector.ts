import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import type { AddressRule } from "./addresses.ts";
import { bareHost, type Destinations } from "./destination.ts";
import type { Lookup } from "./lookup.ts";

/** The connection would have gone to an address that is not allowed. */
export class AddressRefused extends Error {
  readonly code = "ADDRESS_REFUSED";
}

/** What the connector needs beside the rules. */
export interface ConnectorOptions {
  lookup: Lookup;
  timeout_ms: number;
  /** Certificates in PEM that are trusted instead of the system's. */
  ca?: string;
}

/**
 * Connects only where the rules allow: an address in the URL is checked as it is, a name's addresses are
 * checked as they were just looked up and are the ones connected to (so a second answer can't differ), and at
 * last the socket's own other end.
 */
export function createConnector(
  destinations: Destinations,
  { lookup, timeout_ms, ca }: ConnectorOptions,
): buildConnector.connector {
  return (options, callback) => {
    const hostname = bareHost(options.hostname);
    const allowed = destinations.ruleFor(options.protocol, hostname);
    if (isIP(hostname) !== 0 && !allowed(hostname)) return callback(refused(), null);

    const connect = buildConnector({
      allowH2: false,
      timeout: timeout_ms,
      maxCachedSessions: 0,
      autoSelectFamily: true,
      lookup: checkedLookup(lookup, allowed),
      ...(ca === undefined ? {} : { ca }),
    });
    connect(options, (error, socket) => {
      // On failure undici leaves the socket out, whatever its types say.
      if (!socket) return callback(error ?? new Error("no connection"), null);
      if (allowed(socket.remoteAddress ?? "")) return callback(null, socket);
      socket.destroy();
      callback(refused(), null);
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
          : refused();
      return { first, usable };
    };
    answer().then(
      ({ first, usable }) =>
        options.all ? callback(null, usable) : callback(null, first.address, first.family),
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}

const refused = (): AddressRefused => new AddressRefused("the host's address is not allowed");
