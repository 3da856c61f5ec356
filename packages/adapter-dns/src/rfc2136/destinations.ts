import { isIP } from "node:net";
import { type Dns, fail, isInNetworks, isPublicAddress, networkList } from "@letterslot/core/ports";

/** Addresses of one name server that are tried, at most. */
const MAX_ADDRESSES = 4;

/** Decides which name servers may be reached: strangers choose them. */
export interface Destinations {
  /** Fails with `invalid_dns_credentials` if the server is an address that isn't public nor allowed. */
  check(server: string): void;
  /**
   * The addresses of a server that may be reached. Fails like `check` if it has none of these, and with
   * `dns_provider_unreachable` if it has none or they can't be looked up.
   */
  addressesOf(server: string): Promise<string[]>;
}

/** Public addresses, and those in the networks of `allow`. Throws a `RangeError` if one of these is none. */
export function createDestinations(allow: readonly string[], dns: Dns): Destinations {
  const networks = networkList(allow);
  const mayBeReached = (address: string) => isPublicAddress(address) || isInNetworks(address, networks);
  const check = (server: string) => {
    if (isIP(server) !== 0 && !mayBeReached(server)) throw notPublic();
  };
  return {
    check,
    async addressesOf(server) {
      check(server);
      if (isIP(server) !== 0) return [server];
      const found = await Promise.allSettled([dns.resolve(server, "AAAA"), dns.resolve(server, "A")]);
      const addresses = found.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      if (addresses.length === 0)
        throw fail("dns_provider_unreachable", { message: `The name server ${server} has no address.` });
      const reachable = addresses.filter(mayBeReached);
      if (reachable.length === 0) throw notPublic();
      return reachable.slice(0, MAX_ADDRESSES);
    },
  };
}

const notPublic = () =>
  fail("invalid_dns_credentials", {
    param: "dns.credentials.server",
    message: "The name server's address is not public.",
    fix: "Name a server that is reached over the internet, or ask the operator to allow its network.",
  });
