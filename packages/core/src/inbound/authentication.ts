import { getDomain } from "tldts";
import type { AuthResult, DkimSignature, SenderFacts } from "../ports/sender-auth.ts";
import type { MailAddress } from "./parsed-mail.ts";

/** RSA keys with fewer bits prove nothing (RFC 8301, section 3.2). */
export const MIN_RSA_BITS = 1024;

/** What the sender's facts are worth. `spf`, `dkim` and `dmarc` are what is stored and shown. */
export interface Authentication {
  spf: AuthResult;
  dkim: AuthResult;
  dmarc: AuthResult;
  /** A valid DKIM signature stands for the author's domain, whether or not it publishes a policy. */
  aligned_dkim: boolean;
  /** The fact that acts of authority take: DMARC pass, or aligned DKIM pass. */
  passes: boolean;
  /** One sentence for each thing that counted, for the timeline of a message. */
  reasons: string[];
}

/**
 * Decides who a mail is from (RFC 7489, RFC 9989, RFC 6376): exactly one From field with exactly one address, and an SPF or DKIM
 * pass aligned with its domain: by organisational domain, or exactly where the domain's record is strict. What can't be
 * ascertained doesn't pass.
 */
export function authenticate(facts: SenderFacts, mail: { from: MailAddress[]; from_headers: number }): Authentication {
  const reasons: string[] = [];
  const signatures = facts.dkim.map((signature) => ({ signature, result: judgeSignature(signature, reasons) }));
  const spf = facts.spf.result;
  const dkim = bestResult(signatures.map(({ result }) => result));
  const author = authorDomain(mail, reasons);
  if (author === null) return { spf, dkim, dmarc: "fail", aligned_dkim: false, passes: false, reasons };
  if (facts.dmarc_temperror) {
    reasons.push(`The DMARC policy of ${author} could not be looked up.`);
    return { spf, dkim, dmarc: "temperror", aligned_dkim: false, passes: false, reasons };
  }
  const policy = facts.dmarc !== null && isWithin(author, facts.dmarc.domain) ? facts.dmarc : null;
  const passing = signatures.filter(({ result }) => result === "pass");
  const aligned_dkim = passing.some(({ signature }) => isAligned(signature.domain, author, policy?.strict_dkim ?? false));
  const aligned_spf = spf === "pass" && isAligned(facts.spf.domain ?? "", author, policy?.strict_spf ?? false);
  reasons.push(aligned_dkim ? `A DKIM signature stands for ${author}.` : `No valid DKIM signature stands for ${author}.`);
  reasons.push(aligned_spf ? `SPF allows the sending host for ${author}.` : `SPF does not vouch for ${author}.`);
  if (policy === null) reasons.push(`${author} publishes no DMARC policy.`);
  const dmarc = judgePolicy(policy !== null, aligned_dkim || aligned_spf);
  return { spf, dkim, dmarc, aligned_dkim, passes: dmarc === "pass" || aligned_dkim, reasons };
}

/** The domain that owns a name by the public suffix list with its private part; the name itself where it has no owner above it. */
export function organisationalDomain(domain: string): string {
  // A name that begins with a dot is none; the list's reader would take the rest of it.
  if (domain.startsWith(".")) return domain;
  return getDomain(domain, { allowPrivateDomains: true, validateHostname: false }) ?? domain;
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
  const address = mail.from[0]?.address ?? "";
  const domain = normalise(address.slice(address.lastIndexOf("@") + 1));
  if (mail.from.length !== 1 || !address.includes("@") || domain === "") {
    reasons.push("The From header does not hold exactly one address.");
    return null;
  }
  return domain;
}

function judgeSignature(signature: DkimSignature, reasons: string[]): AuthResult {
  if (signature.result !== "pass") return signature.result;
  const flaw = flawOf(signature);
  if (flaw === null) return "pass";
  reasons.push(`A DKIM signature by ${signature.domain} does not count: ${flaw}.`);
  return "policy";
}

function flawOf(signature: DkimSignature): string | null {
  if (!signature.signs_from) return "it leaves From unsigned";
  if (signature.body_length_limited) return "it leaves the end of the body unsigned";
  if (signature.key_bits !== null && signature.key_bits < MIN_RSA_BITS) return "its key is too short";
  if (!isWithin(normalise(signature.identity_domain), signature.domain)) return "its identity lies outside its domain";
  if (signature.strict_identity && normalise(signature.identity_domain) !== normalise(signature.domain)) {
    return "its key allows no identity in a subdomain";
  }
  return null;
}

const RANK: AuthResult[] = ["pass", "temperror", "policy", "fail", "permerror", "neutral", "softfail", "none"];

function bestResult(results: AuthResult[]): AuthResult {
  return RANK.find((result) => results.includes(result)) ?? "none";
}

function isAligned(domain: string, author: string, strict: boolean): boolean {
  const name = normalise(domain);
  if (name === author) return true;
  return !strict && name !== "" && organisationalDomain(name) === organisationalDomain(author);
}

function isWithin(name: string, domain: string): boolean {
  const parent = normalise(domain);
  return parent !== "" && (name === parent || name.endsWith(`.${parent}`));
}

/** Lower case, without a last dot, in ASCII: `bücher.example` and `xn--bcher-kva.example` are one name. */
function normalise(domain: string): string {
  const name = domain.trim().toLowerCase().replace(/\.$/, "");
  if (!/[^\x00-\x7f]/.test(name)) return name;
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : "";
}
