import type { SenderFacts } from "@letterslot/core";
import { readAuthors } from "@letterslot/core/worker";
import { createRecordLookup, getOrgDomain } from "mailauth/lib/dmarc/get-dmarc-record.js";
import { dmarc } from "mailauth/lib/dmarc/index.js";
import { formatDomain } from "mailauth/lib/tools.js";
import type { MailauthResolver } from "./check-dns.ts";

/** The policy that was found, or that it is unknown for now. */
export type DmarcFacts = Pick<SenderFacts, "dmarc" | "dmarc_temperror">;

/** The policy for an author's domain, and the organisation that the tree walk finds for it; names in lower case and ASCII. */
export interface AuthorPolicy extends DmarcFacts {
  author: string;
  organisation: string;
}

/** Looks up the policy for the domain of a mail's author (RFC 9989); what it means is decided in core. Nobody is `apart` yet. */
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
  if (found === false) return { author, organisation: author, dmarc: null, dmarc_temperror: false };
  const { policyDomain, domain: organisation } = found;
  if (policyDomain === undefined) {
    return { author, organisation, dmarc: null, dmarc_temperror: found.status.result === "temperror" };
  }
  const { dkim, spf } = found.alignment;
  return {
    author,
    organisation,
    dmarc: { domain: policyDomain, policy: toPolicy(found.policy), strict_dkim: dkim.strict, strict_spf: spf.strict, apart: [] },
    dmarc_temperror: false,
  };
}

/**
 * The policy with those of the domains `apart` that the tree walk (RFC 9989, section 4.10.2) finds in another organisation than the
 * author's. One that can't be placed for trouble with the DNS is among them; the author's own domain is never asked about.
 */
export async function withDomainsApart(
  { author, organisation, dmarc: policy, dmarc_temperror }: AuthorPolicy,
  domains: readonly string[],
  resolver: MailauthResolver,
): Promise<DmarcFacts> {
  if (policy === null) return { dmarc: null, dmarc_temperror };
  const lookup = createRecordLookup(resolver, { strict: true });
  const isApart = async (domain: string) => {
    if (domain !== organisation && !domain.endsWith(`.${organisation}`)) return true;
    return (await getOrgDomain(domain, lookup).catch(() => "")) !== organisation;
  };
  const others = [...new Set(domains.map(formatDomain))].filter((domain) => domain !== author);
  const apart = await Promise.all(others.map(isApart));
  return { dmarc: { ...policy, apart: others.filter((_, index) => apart[index]) }, dmarc_temperror };
}

function toPolicy(policy: string): "none" | "quarantine" | "reject" {
  return policy === "reject" || policy === "quarantine" ? policy : "none";
}
