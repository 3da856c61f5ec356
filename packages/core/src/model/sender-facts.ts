/** The possible results of SPF, DKIM and DMARC (RFC 8601, section 2.7), as stored and shown. */
export type AuthResult =
  | "pass"
  | "fail"
  | "softfail"
  | "neutral"
  | "none"
  | "temperror"
  | "permerror"
  | "policy";

/** Evidence that a signature was valid, which anybody can check later without the mail, against the hash of the header. */
export interface DkimProof {
  /** The public key as it was published: SubjectPublicKeyInfo (DER) in base64. */
  key: string;
  /** `b=` in base64. */
  signature: string;
  /** SHA-256 in hex of the signed header fields in their canonical form. */
  header_hash: string;
  /** `bh=` in hex: SHA-256 of the body in its canonical form. */
  body_hash: string;
}

/** One DKIM signature and the result of checking it (RFC 6376). */
export interface DkimSignature {
  result: AuthResult;
  /** `d=` in lower-case ASCII, as looked up. */
  domain: string;
  /** The domain of `i=` in the same form; equal to `domain` when the tag is missing. */
  identity_domain: string;
  selector: string;
  /** The key record has `t=s`: the identity's domain must equal `d=`. */
  strict_identity: boolean;
  /** `l=` was used: bytes after it are not signed. */
  body_length_limited: boolean;
  /** The signature's `h=` covers From. */
  signs_from: boolean;
  /**
   * A signed header that a mail may have only once (RFC 5322, section 3.6) is repeated: readers may show the
   * unsigned one.
   */
  repeats_signed: boolean;
  /** Bits of the RSA key; null for Ed25519 or an unread key. */
  key_bits: number | null;
  /**
   * SHA-256 of the public key's SubjectPublicKeyInfo (DER) in base64url: the same for every way of publishing it. Null
   * for an unread key.
   */
  key_hash: string | null;
  /** The key record has `t=y`: its domain only tests signing (RFC 6376, section 3.6.1). */
  key_testing: boolean;
  /** The header fields that it covers, in lower case: those of `h=` that the mail has. */
  signed_headers: string[];
  /** `t=` and `x=` in seconds since 1970; null without the tag. */
  signed_at: number | null;
  expires_at: number | null;
  /**
   * SHA-256 of the bytes of `b=` in hex: the same for every way of writing them. Empty when it was not
   * checked.
   */
  signature: string;
  /** Left out unless it passed, and where the checker doesn't say. */
  proof?: DkimProof;
}

/**
 * An ARC chain and the result of checking all of it (RFC 8617): every seal, and the newest message signature.
 */
export interface ArcChain {
  result: "pass" | "fail" | "temperror";
  /**
   * `d=` of the newest seal in lower-case ASCII, as looked up; empty when unreadable. It means nothing unless
   * the chain passes.
   */
  sealer: string;
  /** The newest set's signature of the mail as it is now; null when unreadable. */
  signature: DkimSignature | null;
  /** The newest sealer's statement about its checks when it received the mail, with words and domains in lower case. */
  stated: { dmarc: { result: string; from: string }[]; dkim: { result: string; domain: string }[] };
}

/** The facts about a mail's sender; `authenticateSender` judges them. */
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
    /** Strict alignment, as requested by `adkim=s` and `aspf=s`. */
    strict_dkim: boolean;
    strict_spf: boolean;
    /**
     * Domains with an SPF or DKIM pass that the tree walk (RFC 9989, section 4.10.2) places in another
     * organisation, or can't place.
     */
    apart: string[];
  } | null;
  /** The policy look-up hit a temporary DNS failure: nothing that depends on it may pass. */
  dmarc_temperror: boolean;
  /** Header fields, in lower case, that a mail may have once and that this one has more than once. */
  repeated_headers: string[];
}

/** The envelope of a received mail (RFC 5321); `mail_from` is empty for a bounce. */
export interface InboundEnvelope {
  mail_from: string;
  client_ip: string | null;
  helo: string | null;
}
