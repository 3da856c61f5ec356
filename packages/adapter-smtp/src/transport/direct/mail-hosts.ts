import { randomInt } from "node:crypto";
import { isIP } from "node:net";
import { type Dns, isAbsent, type RecipientResult } from "@letterslot/core/ports";
import { dnsErrorCode } from "../../sender/cached-dns.ts";

/** A host that receives a domain's mail; the lowest priority is tried first. */
export interface MailHost {
  name: string;
  priority: number;
}

/** Why mail can't be handed to any host, for all recipients of the domain. */
export type Failure = Pick<RecipientResult, "outcome" | "detail">;

/** Further hosts are not tried. */
const MAX_HOSTS = 10;

export const temporary = (detail: string): Failure => ({ outcome: "temporary_failure", detail });
export const permanent = (detail: string): Failure => ({ outcome: "permanent_failure", detail });

/**
 * Returns the hosts for a domain's mail, in the order in which they are tried (RFC 5321, section 5.1): by priority, in
 * random order among equals; the domain itself if it has no MX record. A null MX (RFC 7505) and a domain that doesn't
 * exist are permanent failures, a DNS problem is a temporary one. When `isOwn` matches one of the hosts, only those
 * before it are returned: mail must not loop back.
 */
export async function findMailHosts(
  dns: Dns,
  domain: string,
  isOwn: (name: string) => boolean,
): Promise<{ hosts: MailHost[] } | { failure: Failure }> {
  let records: { exchange: string; priority: number }[];
  try {
    records = await dns.resolve(domain, "MX");
  } catch (error) {
    if (!isAbsent(error)) return { failure: temporary(`451 4.4.3 DNS does not answer for ${domain}`) };
    if (dnsErrorCode(error) === "ENOTFOUND")
      return { failure: permanent(`550 5.1.2 the domain ${domain} does not exist`) };
    records = [{ exchange: domain, priority: 0 }];
  }
  if (records.length > 0 && records.every(({ exchange }) => /^\.?$/.test(exchange)))
    return { failure: permanent(`556 5.1.10 the domain ${domain} receives no mail (null MX)`) };
  const hosts = records
    .map(({ exchange, priority }) => ({ name: plainName(exchange), priority }))
    .filter(({ name }) => name !== "");
  if (hosts.length === 0) return { failure: permanent(`550 5.4.4 the MX records of ${domain} name no host`) };
  const own_priority = Math.min(...hosts.filter(({ name }) => isOwn(name)).map(({ priority }) => priority));
  const before = hosts.filter(({ priority }) => priority < own_priority);
  if (before.length === 0)
    return { failure: permanent(`550 5.4.6 the mail for ${domain} would come back to this service`) };
  return { hosts: inOrder(before).slice(0, MAX_HOSTS) };
}

function inOrder(hosts: readonly MailHost[]): MailHost[] {
  return hosts
    .map((host) => ({ host, chance: randomInt(2 ** 32) }))
    .toSorted((a, b) => a.host.priority - b.host.priority || a.chance - b.chance)
    .map(({ host }) => host);
}

/** Returns the addresses of a host: IPv6, then IPv4. `trouble` means that DNS didn't answer for one of them. */
export async function addressesOf(
  dns: Dns,
  name: string,
): Promise<{ addresses: string[]; trouble: boolean }> {
  const found = await Promise.allSettled([dns.resolve(name, "AAAA"), dns.resolve(name, "A")]);
  return {
    addresses: found.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : [])),
    trouble: found.some((answer) => answer.status === "rejected" && !isAbsent(answer.reason)),
  };
}

/** A host name in lower case, without the dot at its end; an IP address, which no record may name, is none. */
export function plainName(name: string): string {
  const plain = name.toLowerCase().replace(/\.$/, "");
  return isIP(plain) === 0 ? plain : "";
}
