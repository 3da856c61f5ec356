/** What SPF, DKIM and DMARC can come to (RFC 8601, section 2.7), in the words that are stored and shown. */
export type AuthResult = "pass" | "fail" | "softfail" | "neutral" | "none" | "temperror" | "permerror" | "policy";

/** One DKIM signature as it was found and checked (RFC 6376). */
export interface DkimSignature {
  result: AuthResult;
  /** `d=`, lower case. */
  domain: string;
  /** The domain of `i=`, lower case; equal to `domain` when the tag is missing. */
  identity_domain: string;
  selector: string;
  /** The key record carries `t=s`: the identity's domain must equal `d=`. */
  strict_identity: boolean;
  /** `l=` was used: bytes after it are unsigned. */
  body_length_limited: boolean;
  /** The signature's `h=` covers From. */
  signs_from: boolean;
  /** Bits of the RSA key; null for Ed25519 or an unread key. */
  key_bits: number | null;
}

/** The facts about a mail's sender; what they are worth is decided by the rule in `inbound/rules.ts`. */
export interface SenderFacts {
  spf: { result: AuthResult; domain: string | null };
  dkim: DkimSignature[];
  /** The published policy of the From domain or its organisational domain (RFC 7489, RFC 9989); null when there is none. */
  dmarc: {
    domain: string;
    policy: "none" | "quarantine" | "reject";
    /** Strict alignment asked for by `adkim=s` and `aspf=s`. */
    strict_dkim: boolean;
    strict_spf: boolean;
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

/** Checks where a mail comes from. Looks up DNS, never throws: trouble is `temperror` or `permerror` in the facts. */
export interface SenderAuth {
  check(mail: { raw: Uint8Array; envelope: InboundEnvelope }): Promise<SenderFacts>;
}
