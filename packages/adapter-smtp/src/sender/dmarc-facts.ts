import { readAuthors } from "@letterslot/core/mail";
import type { SenderFacts } from "@letterslot/core/ports";
import { createRecordLookup, getOrgDomain } from "mailauth/lib/dmarc/get-dmarc-record.js";
import { dmarc } from "mailauth/lib/dmarc/index.js";
import { formatDomain } from "mailauth/lib/tools.js";
import type { MailauthResolver } from "./limited-dns.ts";

/** The DMARC policy, or that a lookup failed. */
export type DmarcFacts = Pick<SenderFacts, "dmarc" | "dmarc_temperror">;

/** The policy for an author's domain, which is lower-case ASCII. */
export interface AuthorPolicy extends DmarcFacts {
  author: string;
}

/**
 * Looks up the policy for the author's domain (RFC 9989); core decides what it means. `apart` is still empty.
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
 * Lists as `apart` those `domains` that the tree walk (RFC 9989, section 4.10.2) does not place in the
 * author's organisation. Domains whose lookup failed are included; they cause a temporary error unless
 * another domain belongs to the author's organisation. The author's own domain is never looked up.
 */
export async function separateOtherOrganisations(
  { author, dmarc: policy, dmarc_temperror }: AuthorPolicy,
  domains: readonly string[],
  resolver: MailauthResolver,
): Promise<DmarcFacts> {
  if (policy === null) return { dmarc: null, dmarc_temperror };
  const names = [...new Set(domains.map(formatDomain))];
  const others = names.filter((domain) => domain !== author);
  if (others.length === 0) return { dmarc: policy, dmarc_temperror };

  const lookup = createRecordLookup(resolver, { strict: true });
  // A failed tree walk finds no organisation; everything that depends on it is unknown.
  const organisationOf = (domain: string) => getOrgDomain(domain, lookup).catch(() => undefined);
  const home = await organisationOf(author);
  const relationOf = async (domain: string): Promise<Relation> => {
    if (home === undefined) return "unknown";
    if (domain !== home && !domain.endsWith(`.${home}`)) return "apart";
    const found = await organisationOf(domain);
    return found === undefined ? "unknown" : found === home ? "home" : "apart";
  };
  const relations = await Promise.all(others.map(relationOf));
  const aligned = others.length < names.length || relations.includes("home");
  return {
    dmarc: { ...policy, apart: others.filter((_, index) => relations[index] !== "home") },
    dmarc_temperror: !aligned && relations.includes("unknown"),
  };
}

/** Whether a domain is in the author's organisation, in another one, or could not be looked up. */
type Relation = "home" | "apart" | "unknown";

function toPolicy(policy: string): "none" | "quarantine" | "reject" {
  return policy === "reject" || policy === "quarantine" ? policy : "none";
}
