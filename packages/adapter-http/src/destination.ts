import { isIP } from "node:net";
import { type AddressRule, isLoopback, isPublic, isWithin, parseNetworks } from "./addresses.ts";

/** Where webhooks may go in this deployment. */
export interface DestinationOptions {
  /** Networks that may be reached although they are private, over https and http. */
  allow?: readonly string[];
  /** Whether http and https to localhost are fine. */
  development?: boolean;
}

/**
 * Decides where a request may go: by its URL, and then by the address that it is about to be connected to.
 */
export interface Destinations {
  /** Why a URL can't be a webhook's, or null when it can. */
  refusal(url: string): string | null;
  /** What addresses a connection for this URL's protocol and host may have. */
  ruleFor(protocol: string, hostname: string): AddressRule;
}

/** Names that public DNS does not give out (RFC 6761, RFC 6762, RFC 8375 and common use). */
const localSuffixes = ["localhost", "local", "internal", "test", "lan", "home.arpa"];

/** The rules of a deployment. Throws when `allow` holds a word that is no network. */
export function createDestinations({ allow = [], development = false }: DestinationOptions): Destinations {
  const networks = parseNetworks(allow);

  const ruleFor = (protocol: string, hostname: string): AddressRule => {
    const ownMachine = development && isOwnName(hostname);
    return (address) => {
      if (isWithin(address, networks) || (ownMachine && isLoopback(address))) return true;
      return protocol === "https:" && isPublic(address);
    };
  };

  return {
    ruleFor,
    refusal(text) {
      if (!URL.canParse(text)) return "The URL can't be read; use https://host/path.";
      const url = new URL(text);
      if (url.protocol !== "https:" && url.protocol !== "http:") return "The URL must begin with https://.";
      if (url.username !== "" || url.password !== "")
        return "The URL must not hold a user name or password; use a custom header.";
      const host = bareHost(url.hostname);
      if (isIP(host) !== 0)
        return ruleFor(url.protocol, host)(host)
          ? null
          : refusalOf(url.protocol, "The URL's address is not a public one.");
      // What a name stands for is found out at each delivery; here only names that can't be meant well are
      // refused.
      const local = isLocalName(host);
      const mayBeAllowed = networks.length > 0 || (development && isOwnName(host));
      if (local && !mayBeAllowed) return refusalOf(url.protocol, "The URL's host is not a public one.");
      if (!local && url.protocol === "http:") return refusalOf(url.protocol, "");
      return null;
    },
  };
}

function refusalOf(protocol: string, reason: string): string {
  return protocol === "http:"
    ? "The URL must begin with https://; http is for local receivers that the operator allows."
    : reason;
}

/** A host without the brackets of IPv6 and the dot that may end a name. */
export function bareHost(hostname: string): string {
  const plain = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return plain.replace(/\.$/, "").toLowerCase();
}

/** Whether public DNS would not know the name. */
export function isLocalName(host: string): boolean {
  const name = bareHost(host);
  return !name.includes(".") || localSuffixes.some((suffix) => name.endsWith(`.${suffix}`));
}

function isOwnName(hostname: string): boolean {
  const host = bareHost(hostname);
  return host === "localhost" || host.endsWith(".localhost") || isLoopback(host);
}
