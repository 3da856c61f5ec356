import { isIP } from "node:net";
import { type AddressRule, isInNetworks, isLoopbackAddress, isPublic, parseNetworks } from "./addresses.ts";

/** The destinations that a deployment permits for webhooks. */
export interface DestinationOptions {
  /** Private networks that may be reached, over https and http. */
  allow?: readonly string[];
  /** Also allows localhost, over https and http. */
  development?: boolean;
}

/** Decides where a request may go: first by its URL, then by the address it is about to connect to. */
export interface Destinations {
  /** Why a webhook cannot have this URL, or null if it can. */
  refusal(url: string): string | null;
  /** Which addresses a connection for this protocol and host may use. */
  ruleFor(protocol: string, hostname: string): AddressRule;
}

/** Suffixes that public DNS does not resolve (RFC 6761, RFC 6762, RFC 8375 and common use). */
const LOCAL_SUFFIXES = ["localhost", "local", "internal", "test", "lan", "home.arpa"];

/** A deployment's rules. Throws if `allow` contains a malformed network. */
export function createDestinations({ allow = [], development = false }: DestinationOptions): Destinations {
  const networks = parseNetworks(allow);

  const ruleFor = (protocol: string, hostname: string): AddressRule => {
    const own_host = development && isLocalhost(hostname);
    return (address) => {
      if (isInNetworks(address, networks) || (own_host && isLoopbackAddress(address))) return true;
      return protocol === "https:" && isPublic(address);
    };
  };

  return {
    ruleFor,
    refusal(text) {
      if (!URL.canParse(text)) return "The URL is malformed; use https://host/path.";
      const url = new URL(text);
      if (url.protocol !== "https:" && url.protocol !== "http:") return "The URL must start with https://.";
      if (url.username !== "" || url.password !== "")
        return "The URL must not contain a user name or password; use a custom header instead.";
      const host = bareHost(url.hostname);
      if (isIP(host) !== 0)
        return ruleFor(url.protocol, host)(host)
          ? null
          : refusalOf(url.protocol, "The URL's address is not public.");
      // Names are resolved at each delivery; here only local names are refused.
      const local = isLocalName(host);
      const may_be_allowed = networks.length > 0 || (development && isLocalhost(host));
      if (local && !may_be_allowed) return refusalOf(url.protocol, "The URL's host is not public.");
      if (!local && url.protocol === "http:") return refusalOf(url.protocol, "");
      return null;
    },
  };
}

function refusalOf(protocol: string, reason: string): string {
  return protocol === "http:"
    ? "The URL must start with https://; http is only for local receivers that the operator allows."
    : reason;
}

/** A host in lower case, without IPv6 brackets and without a trailing dot. */
export function bareHost(hostname: string): string {
  const plain = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return plain.replace(/\.$/, "").toLowerCase();
}

/** Whether a name is one that public DNS does not resolve. */
export function isLocalName(host: string): boolean {
  const name = bareHost(host);
  return !name.includes(".") || LOCAL_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
}

function isLocalhost(hostname: string): boolean {
  const host = bareHost(hostname);
  return host === "localhost" || host.endsWith(".localhost") || isLoopbackAddress(host);
}
