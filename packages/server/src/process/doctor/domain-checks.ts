import type { OwnDomain } from "@letterslot/core/internal";
import type { Dns } from "@letterslot/core/ports";
import { type Check, type Finding, failed, named, ok, reasonOf, warning } from "./checks.ts";

/**
 * Judges the records of MAIL_DOMAIN. `sends`: mail leaves this service, which takes SPF and DKIM. `found` is null when
 * they couldn't be looked up.
 */
export function judgeDomain(found: OwnDomain | null, { sends }: { sends: boolean }): Check[] {
  if (found === null)
    return [
      named(
        "dns",
        warning(
          "The records of MAIL_DOMAIN can't be looked up, as its DKIM key can't be read.",
          "See what else is wrong, then run this again.",
        ),
      ),
    ];
  const { domain, records, warnings } = found;
  const checks = records.map((record) => {
    const { purpose, type, name, value, priority, status, required, hint } = record;
    const publish = `Publish at ${name}: ${type} ${priority === null ? "" : `${priority} `}${value}`;
    const says = { missing: "is missing", invalid: "says something else", valid: "is in place" }[status];
    const sentence = `The ${LABELS[purpose]} record of ${domain} ${says}.`;
    if (status === "valid") return named(`dns.${purpose}`, ok(sentence));
    const needed = required && (sends || purpose === "mx");
    const fix = hint === null ? publish : `${hint} ${publish}`;
    return named(`dns.${purpose}`, needed ? failed(sentence, fix) : warning(sentence, fix));
  });
  const told = warnings.map(({ code, message }) =>
    named(
      `dns.${code}`,
      code === "dns_unavailable"
        ? failed("The DNS can't be asked.", message)
        : { status: "warning", says: message, fix: null },
    ),
  );
  return [...checks, ...told];
}

const LABELS = {
  ownership: "ownership",
  mx: "MX",
  spf: "SPF",
  dkim: "DKIM",
  dmarc: "DMARC",
  return_path: "return path",
  tls_reports: "TLS report",
  report_consent: "DMARC report",
} as const;

/** Addresses of a domain's mail hosts; none when there are none. */
export async function mailHostsOf(dns: Dns, domain: string): Promise<{ host: string; address: string }[]> {
  const found = await dns.resolve(domain, "MX").catch(() => []);
  const hosts = found
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ exchange }) => exchange.replace(/\.$/, ""));
  const addresses = await Promise.all(hosts.slice(0, MAX_HOSTS).map((host) => addressesOf(dns, host)));
  return addresses.flatMap((each, index) => each.map((address) => ({ host: hosts[index] ?? "", address })));
}

const MAX_HOSTS = 4;

async function addressesOf(dns: Dns, host: string): Promise<string[]> {
  const [v4, v6] = await Promise.allSettled([dns.resolve(host, "A"), dns.resolve(host, "AAAA")]);
  return [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

/** Whether the reverse name of the address that mail leaves from is MAIL_DOMAIN and leads back. */
export async function examineReverseName(dns: Dns, domain: string): Promise<Finding> {
  const addresses = await addressesOf(dns, domain);
  const [address] = addresses;
  if (address === undefined)
    return failed(
      `${domain} has no address, so nobody can tell that mail from here is its own.`,
      `Publish an A record at ${domain} with this machine's public address.`,
    );
  const fix = `Have your provider set the reverse DNS name (PTR) of ${address} to ${domain}: many hosts refuse mail without it.`;
  let names: string[];
  try {
    names = await dns.resolve(reverseNameOf(address), "PTR");
  } catch (error) {
    return failed(`${address} has no reverse DNS name (${reasonOf(error)}).`, fix);
  }
  const [name = ""] = names.map((each) => each.replace(/\.$/, "").toLowerCase());
  if (name !== domain) return failed(`The reverse DNS name of ${address} is ${name}, not ${domain}.`, fix);
  return ok(`The reverse DNS name of ${address} is ${domain}.`);
}

/** The commonest selectors of a mail server's key, besides DKIM_SELECTOR. */
const USUAL_SELECTORS = ["default", "mail", "dkim"];

/**
 * Checks whether the key of DKIM_KEY is published at one of these other domains too, at its own selector or a usual
 * one. A signature by it proves no author to this service, so people whose mail another server signs with it would not
 * be believed.
 */
export async function examineOtherUses(
  dns: Dns,
  { selector, value }: { selector: string; value: string },
  domains: readonly string[],
): Promise<Finding> {
  const names = domains.flatMap((domain) =>
    [...new Set([selector, ...USUAL_SELECTORS])].map((each) => `${each}._domainkey.${domain}`),
  );
  const key = keyIn(value);
  const found = await Promise.all(
    names.map(async (name) => {
      const texts = await dns.resolve(name, "TXT").catch(() => []);
      return texts.some((chunks) => keyIn(chunks.join("")) === key) ? [name] : [];
    }),
  );
  const elsewhere = found.flat();
  if (elsewhere.length === 0) return ok("The key of DKIM_KEY was found at no other domain.");
  return warning(
    `The key of DKIM_KEY is published at ${elsewhere.join(", ")} too.`,
    "Give this service a key of its own: mail that DKIM_KEY's key signs proves no author here, wherever it comes from, so owners at that domain would not be believed.",
  );
}

/** The key in a DKIM record. */
const keyIn = (record: string): string | undefined =>
  /(?:^|;)\s*p\s*=([^;]*)/.exec(record)?.[1]?.replace(/\s/g, "");

/** The domains above a name that somebody can have registered. */
export const domainsAbove = (name: string): string[] =>
  name
    .split(".")
    .slice(1, -1)
    .map((_, index) =>
      name
        .split(".")
        .slice(index + 1)
        .join("."),
    );

/** The name under which an address has its PTR record (RFC 1035, section 3.5; RFC 3596, section 2.5). */
export function reverseNameOf(address: string): string {
  if (!address.includes(":")) return `${address.split(".").toReversed().join(".")}.in-addr.arpa`;
  const [head = "", tail = ""] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const missing = 8 - groups(head).length - groups(tail).length;
  const whole = [
    ...groups(head),
    ...Array.from({ length: address.includes("::") ? missing : 0 }, () => "0"),
    ...groups(tail),
  ];
  const digits = whole.map((group) => group.padStart(4, "0")).join("");
  return `${[...digits].toReversed().join(".")}.ip6.arpa`;
}
