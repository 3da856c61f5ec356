import type { Dns } from "../../ports/dns.ts";
import { isAbsent } from "../../ports/dns.ts";
import type { RecipientHosts } from "./rules.ts";

/** Mail hosts of a domain that are looked up. */
const MAX_HOSTS = 10;

/**
 * Returns the hosts that accept mail for a domain: those of its MX records, else the domain itself (RFC 5321, section
 * 5.1). Null if the DNS can't be queried, since a missing answer proves nothing.
 */
export async function findRecipientHosts(dns: Dns, domain: string): Promise<RecipientHosts | null> {
  try {
    const records = await dns.resolve(domain, "MX").catch(absentAs([]));
    const named = records.map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ""));
    const names = (records.length === 0 ? [domain] : named).filter((name) => name !== "").slice(0, MAX_HOSTS);
    const addresses = await Promise.all(names.map((name) => addressesOf(dns, name)));
    return { domain, names, addresses: addresses.flat() };
  } catch {
    return null;
  }
}

/** Returns the addresses of a name, none if the DNS says there are none. Rejects if the DNS can't be queried. */
export async function addressesOf(dns: Dns, name: string): Promise<string[]> {
  const [four, six] = await Promise.all([
    dns.resolve(name, "A").catch(absentAs([])),
    dns.resolve(name, "AAAA").catch(absentAs([])),
  ]);
  return [...four, ...six];
}

const absentAs =
  <T>(nothing: T[]) =>
  (error: unknown): T[] => {
    if (isAbsent(error)) return nothing;
    throw error;
  };
