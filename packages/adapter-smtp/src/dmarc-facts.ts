import type { SenderFacts } from "@letterslot/core";
import { readAuthors } from "@letterslot/core/worker";
import { createRecordLookup, getOrgDomain } from "mailauth/lib/dmarc/get-dmarc-record.js";
import { dmarc } from "mailauth/lib/dmarc/index.js";
import { formatDomain } from "mailauth/lib/tools.js";
import type { MailauthResolver } from "./check-dns.ts";

/** The policy that was found, or that it is unknown for now. */
export type DmarcFacts = Pick<SenderFacts, "dmarc" | "dmarc_temperror">;

/** The policy for an author's domain, which is in lower case and ASCII. */
export interface AuthorPolicy extends DmarcFacts {
  author: string;
}

/**
 * Looks up the policy for the domain of a mail's author (RFC 9989); what it means is decided in core. Nobody
 * is `apart` yet.
 */
export async function readAuthorPolicy(raw: Uint8Array, resolver: MailauthResolver): Promise<AuthorPolicy> {
  const domain = readAuthors(raw)[0]?.split("@").at(-1) ?? "";
  const found = await dmarc({
    headerFrom: [`author@${domain}`],
    fromFields: 1,
    spfDomains: [],
    dkimDomains: [],
    resolver,
    strict: true,
  });
  const author = formatDomain(domain);
  if (found === false) return { author, dmarc: null, dmarc_temperror: false };
  const { policyDomain } = found;
  if (policyDomain === undefined)
    return { author, dmarc: null, dmarc_temperror: found.status.result === "temperror" };
  const { dkim, spf } = found.alignment;
  return {
    author,
    dmarc: {
      domain: policyDomain,
      policy: toPolicy(found.policy),
      strict_dkim: dkim.strict,
      strict_spf: spf.strict,
      apart: [],
    },
    dmarc_temperror: false,
  };
}

/**
 * The policy with those of the domains `apart` that the tree walk (RFC 9989, section 4.10.2) finds in another
 * organisation than the author's. One that can't be placed for trouble with the DNS is among them, and makes
 * a temporary error where nobody else stands for the author. The author's own domain is never asked about.
 */
export async function withDomainsApart(
  { author, dmarc: policy, dmarc_temperror }: AuthorPolicy,
  domains: readonly string[],
  resolver: MailauthResolver,
): Promise<DmarcFacts> {
  if (policy === null) return { dmarc: null, dmarc_temperror };
  const names = [...new Set(domains.map(formatDomain))];
  const others = names.filter((domain) => domain !== author);
  if (others.length === 0) return { dmarc: policy, dmarc_temperror };

  const lookup = createRecordLookup(resolver, { strict: true });
  // A walk that DNS broke off finds no organisation: what depends on it is then unknown, and undecided below.
  const organisationOf = (domain: string) => getOrgDomain(domain, lookup).catch(() => undefined);
  const home = await organisationOf(author);
  const place = async (domain: string): Promise<Place> => {
    if (home === undefined) return "unknown";
    if (domain !== home && !domain.endsWith(`.${home}`)) return "apart";
    const found = await organisationOf(domain);
    return found === undefined ? "unknown" : found === home ? "home" : "apart";
  };
  const places = await Promise.all(others.map(place));
  const stands = others.length < names.length || places.includes("home");
  return {
    dmarc: { ...policy, apart: others.filter((_, index) => places[index] !== "home") },
    dmarc_temperror: !stands && places.includes("unknown"),
  };
}

/** Where the tree walk finds a domain: in the author's organisation, in another one, or nowhere for now. */
type Place = "home" | "apart" | "unknown";

function toPolicy(policy: string): "none" | "quarantine" | "reject" {
  return policy === "reject" || policy === "quarantine" ? policy : "none";
}
