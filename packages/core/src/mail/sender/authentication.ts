import type { MailAddress } from "../../model/parsed-mail.ts";
import type { AuthResult, DkimSignature, SenderFacts } from "../../model/sender-facts.ts";

import { isAligned, isSameOrSubdomain, normaliseDomain } from "./alignment.ts";
import { believedSealer } from "./forwarded.ts";

import { signatureFlaw } from "./signature-flaws.ts";

/** The judgement of the sender's facts. `spf`, `dkim`, `dmarc` and `arc` are stored and shown. */
export interface SenderAuthentication {
  spf: AuthResult;
  dkim: AuthResult;
  dmarc: AuthResult;
  /** Present when the mail has ARC headers. */
  arc?: AuthResult;
  /** A valid DKIM signature is aligned with the author's domain, whether or not that publishes a policy. */
  aligned_dkim: boolean;
  /** SPF allows the sending host for a domain that is aligned with the author's. */
  aligned_spf: boolean;
  /** The DKIM signatures that count and are aligned with the author's domain. */
  aligned_signatures: DkimSignature[];
  /** Required for anything an owner can order: DMARC pass or aligned DKIM pass, by our own check. */
  passes: boolean;
  /**
   * A trusted ARC sealer that authenticated the author before forwarding the mail (RFC 8617). It counts for
   * tasks.
   */
  forwarded_by: string | null;
  /** One sentence per fact that counted, for the timeline of a message. */
  reasons: string[];
}

/**
 * Decides whether a mail is from its author (RFC 7489, RFC 9989, RFC 6376). It takes exactly one From field
 * with exactly one address, and an SPF or DKIM pass aligned with its domain: by organisational domain, or
 * exactly where the domain's record is strict. What can't be verified doesn't pass. `trusted_sealers` are the
 * domains whose ARC seal is trusted.
 */
export function authenticateSender(
  facts: SenderFacts,
  mail: { from: MailAddress[]; from_headers: number },
  trusted_sealers: readonly string[],
): SenderAuthentication {
  const reasons: string[] = [];
  const signatures = facts.dkim.map((signature) => ({
    signature,
    result: judgeSignature(signature, reasons),
  }));
  const spf = facts.spf.result;
  const dkim = bestResult(signatures.map(({ result }) => result));
  const shown = { spf, dkim, ...(facts.arc === null ? {} : { arc: facts.arc.result }) };
  const nothing = {
    aligned_dkim: false,
    aligned_spf: false,
    aligned_signatures: [],
    passes: false,
    forwarded_by: null,
    reasons,
  };
  const author = authorDomain(mail, reasons);
  if (author === null) return { ...shown, ...nothing, dmarc: "fail" };
  if (facts.dmarc_temperror) {
    reasons.push(`The DMARC policy of ${author} could not be looked up.`);
    return { ...shown, ...nothing, dmarc: "temperror" };
  }
  const policy = facts.dmarc !== null && isSameOrSubdomain(author, facts.dmarc.domain) ? facts.dmarc : null;
  const passing = signatures.filter(({ result }) => result === "pass");
  const aligned_signatures = passing.flatMap(({ signature }) =>
    isAligned(signature.domain, author, { strict: policy?.strict_dkim, apart: policy?.apart })
      ? [signature]
      : [],
  );
  const aligned_dkim = aligned_signatures.length > 0;
  const aligned_spf =
    spf === "pass" &&
    facts.spf.domain !== null &&
    isAligned(facts.spf.domain, author, { strict: policy?.strict_spf, apart: policy?.apart });
  reasons.push(
    aligned_dkim ? `A DKIM signature stands for ${author}.` : `No valid DKIM signature stands for ${author}.`,
  );
  reasons.push(
    aligned_spf ? `SPF allows the sending host for ${author}.` : `SPF does not vouch for ${author}.`,
  );
  if (policy === null) reasons.push(`${author} publishes no DMARC policy.`);
  const dmarc = judgePolicy(policy !== null, aligned_dkim || aligned_spf);
  const passes = dmarc === "pass" || aligned_dkim;
  const forwarded_by = passes
    ? null
    : believedSealer(facts.arc, { author, has_policy: policy !== null, trusted_sealers }, reasons);
  return {
    ...shown,
    ...{ dmarc, aligned_dkim, aligned_spf, aligned_signatures, passes, forwarded_by, reasons },
  };
}

function judgePolicy(published: boolean, aligned: boolean): AuthResult {
  if (!published) return "none";
  return aligned ? "pass" : "fail";
}

function authorDomain(mail: { from: MailAddress[]; from_headers: number }, reasons: string[]): string | null {
  if (mail.from_headers !== 1) {
    reasons.push(`The mail has ${mail.from_headers} From headers instead of one.`);
    return null;
  }
  const [domain, ...others] = mail.from.map(({ address }) => domainOf(address));
  if (!domain || others.length > 0) {
    reasons.push("The From header does not hold exactly one address.");
    return null;
  }
  return domain;
}

const domainOf = (address: string): string =>
  address.includes("@") ? normaliseDomain(address.slice(address.lastIndexOf("@") + 1)) : "";

function judgeSignature(signature: DkimSignature, reasons: string[]): AuthResult {
  if (signature.result !== "pass") return signature.result;
  const flaw = signatureFlaw(signature);
  if (flaw === null) return "pass";
  reasons.push(`A DKIM signature by ${signature.domain} does not count: ${flaw}.`);
  return "policy";
}

/** The results of which one is shown for all signatures, the first before the others. */
const RANK: AuthResult[] = ["pass", "temperror", "policy", "fail", "permerror", "neutral", "softfail"];

function bestResult(results: AuthResult[]): AuthResult {
  return RANK.find((result) => results.includes(result)) ?? "none";
}
