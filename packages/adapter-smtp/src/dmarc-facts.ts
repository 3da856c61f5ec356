import type { SenderFacts } from "@letterslot/core";
import { dmarc } from "mailauth/lib/dmarc/index.js";
import type { MailauthResolver } from "./check-dns.ts";

/** The DMARC policy that is published for an author's domain (RFC 9989); what it means for a mail is decided in core. */
export async function readDmarcFacts(
  domain: string,
  resolver: MailauthResolver,
): Promise<Pick<SenderFacts, "dmarc" | "dmarc_temperror">> {
  const found = await dmarc({
    headerFrom: [`author@${domain}`],
    fromFields: 1,
    spfDomains: [],
    dkimDomains: [],
    resolver,
    strict: true,
  });
  if (found === false) return { dmarc: null, dmarc_temperror: false };
  if (found.status.result === "temperror" && found.policyDomain === undefined) return { dmarc: null, dmarc_temperror: true };
  if (found.policyDomain === undefined) return { dmarc: null, dmarc_temperror: false };
  return {
    dmarc: {
      domain: found.policyDomain,
      policy: toPolicy(found.policy),
      strict_dkim: found.alignment.dkim.strict,
      strict_spf: found.alignment.spf.strict,
    },
    dmarc_temperror: false,
  };
}

function toPolicy(policy: string): "none" | "quarantine" | "reject" {
  return policy === "reject" || policy === "quarantine" ? policy : "none";
}
