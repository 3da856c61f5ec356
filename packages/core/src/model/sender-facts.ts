/** What SPF, DKIM and DMARC can come to (RFC 8601, section 2.7), in the words that are stored and shown. */
export type AuthResult =
  | "pass"
  | "fail"
  | "softfail"
  | "neutral"
  | "none"
  | "temperror"
  | "permerror"
  | "policy";

/** One DKIM signature as it was found and checked (RFC 6376). */
export interface DkimSignature {
  result: AuthResult;
  /** `d=`, lower case, in ASCII as it was looked up. */
  domain: string;
  /** The domain of `i=`, the same way; equal to `domain` when the tag is missing. */
  identity_domain: string;
  selector: string;
  /** The key record carries `t=s`: the identity's domain must equal `d=`. */
  strict_identity: boolean;
  /** `l=` was used: bytes after it are unsigned. */
  body_length_limited: boolean;
  /** The signature's `h=` covers From. */
  signs_from: boolean;
  /**
   * A header that is signed and that a mail has once (RFC 5322, section 3.6) is there again: readers may show
   * the unsigned one.
   */
  repeats_signed: boolean;
  /** Bits of the RSA key; null for Ed25519 or an unread key. */
  key_bits: number | null;
}

/**
 * A chain of ARC sets as it was found and checked whole (RFC 8617): every seal, and the newest message
 * signature.
 */
export interface ArcChain {
  result: "pass" | "fail" | "temperror";
  /**
   * `d=` of the newest seal, lower case, in ASCII as it was looked up; empty when it can't be read. Who it is
   * says nothing until the chain passes.
   */
  sealer: string;
  /** The newest set's signature of the mail as it is now; null when it can't be read. */
  signature: DkimSignature | null;
  /**
   * What the newest sealer says it found when the mail came to it: the words and domains as they stand there,
   * lower case.
   */
  stated: { dmarc: { result: string; from: string }[]; dkim: { result: string; domain: string }[] };
}

/**
 * The facts about a mail's sender; what they are worth is decided by the rule in `inbound/authentication.ts`.
 */
export interface SenderFacts {
  spf: { result: AuthResult; domain: string | null };
  dkim: DkimSignature[];
  /** Null when the mail has no ARC headers. */
  arc: ArcChain | null;
  /**
   * The published policy of the From domain or its organisational domain (RFC 7489, RFC 9989); null when
   * there is none.
   */
  dmarc: {
    domain: string;
    policy: "none" | "quarantine" | "reject";
    /** Strict alignment asked for by `adkim=s` and `aspf=s`. */
    strict_dkim: boolean;
    strict_spf: boolean;
    /**
     * Domains that SPF or DKIM passed for and that the tree walk (RFC 9989, section 4.10.2) finds in another
     * organisation, or can't place.
     */
    apart: string[];
  } | null;
  /** The policy look-up met a temporary DNS failure: nothing that depends on it may pass. */
  dmarc_temperror: boolean;
}

/** The envelope that a mail arrived in (RFC 5321); `mail_from` is empty for a bounce. */
export interface InboundEnvelope {
  mail_from: string;
  client_ip: string | null;
  helo: string | null;
}
