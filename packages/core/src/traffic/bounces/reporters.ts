import { normaliseDomain } from "../../mail/sender/alignment.ts";
import { networkList } from "../../model/networks.ts";

/** The sender of a report, as our own checks established it. Names are in lower-case ASCII. */
export interface ReportSender {
  /** The return path of the report itself is empty, as RFC 3464, section 2 requires. */
  null_sender: boolean;
  /** It declares itself a report (RFC 6522). */
  report_type: boolean;
  /** The address in From; empty when there isn't exactly one. */
  from: string;
  /** Domains whose DKIM signature of it is valid and without a flaw. */
  signers: readonly string[];
  /** The domain that SPF passed for; with an empty return path that is the name in HELO. */
  spf: string | null;
  helo: string | null;
  client_ip: string | null;
}

/**
 * The relays that a deployment trusts to report on mail handed to them: names, where `*.example.com` covers the
 * subdomains of example.com, and networks.
 */
export interface Reporters {
  names: readonly string[];
  networks: readonly string[];
}

/** Reads entries such as `amazonses.com`, `*.amazonses.com` and `192.0.2.0/24`. */
export function readReporters(entries: readonly string[]): Reporters {
  const is_network = entries.map(isNetwork);
  return {
    names: entries.filter((_, index) => !is_network[index]).map((name) => name.toLowerCase()),
    networks: entries.filter((_, index) => is_network[index]),
  };
}

/** Whether a domain is the one of an entry, or below that of a `*.` entry. */
export function matchesName(domain: string, name: string): boolean {
  const found = normaliseDomain(domain);
  if (!name.startsWith("*.")) return found === normaliseDomain(name);
  return found.endsWith(`.${normaliseDomain(name.slice(2))}`);
}

function isNetwork(entry: string): boolean {
  try {
    networkList([entry]);
    return true;
  } catch {
    return false;
  }
}
