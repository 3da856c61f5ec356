import type { ArcChain } from "../../model/sender-facts.ts";

import { asciiDomain, isAligned, normaliseDomain } from "./alignment.ts";
import { signatureFlaw } from "./signature-flaws.ts";

/**
 * The facts that an ARC sealer's statement is checked against: the author's domain in From, whether it publishes a
 * policy, and the trusted sealers.
 */
export interface ForwardedMail {
  author: string;
  has_policy: boolean;
  /** Domains whose ARC seal is trusted, compared whole and case-insensitively. */
  trusted_sealers: readonly string[];
}

/**
 * Returns the newest sealer of an ARC chain (RFC 8617), if its statement about the author counts: the whole chain
 * passes, its domain is trusted by name, it signed the mail in its current form, and it found DMARC pass for the exact
 * domain in From or, if that publishes no policy, DKIM pass for an aligned domain. Adds one sentence to `reasons`.
 */
export function believedSealer(arc: ArcChain | null, mail: ForwardedMail, reasons: string[]): string | null {
  if (arc === null) return null;
  const doubt = doubtOfChain(arc, mail.trusted_sealers) ?? doubtOfWord(arc.stated, mail);
  if (doubt !== null) {
    reasons.push(`The mail was passed on under an ARC seal that does not count: ${doubt}.`);
    return null;
  }
  const sealer = asciiDomain(arc.sealer);
  reasons.push(`${sealer}, whose ARC seal is trusted, found the author of ${mail.author} authenticated.`);
  return sealer;
}

function doubtOfChain(
  { result, sealer, signature }: ArcChain,
  trusted_sealers: readonly string[],
): string | null {
  if (result === "temperror") return "a key of the chain could not be looked up";
  if (result === "fail") return "the chain is broken";
  const name = asciiDomain(sealer);
  if (name === "" || !trusted_sealers.some((trusted) => normaliseDomain(trusted) === name))
    return `${name} is no trusted sealer`;
  if (signature === null || asciiDomain(signature.domain) !== name)
    return "the mail is not signed by its sealer";
  return signatureFlaw(signature);
}

function doubtOfWord(
  { dmarc, dkim }: ArcChain["stated"],
  { author, has_policy }: ForwardedMail,
): string | null {
  const [first] = dmarc;
  if (dmarc.length === 1 && first?.result === "pass" && normaliseDomain(first.from) === author) return null;
  if (has_policy || dmarc.some(({ result }) => result !== "none"))
    return `its sealer did not find DMARC pass for ${author}`;
  const aligned = dkim.some(({ result, domain }) => result === "pass" && isAligned(domain, author));
  return aligned ? null : `its sealer found no DKIM signature of ${author}`;
}
