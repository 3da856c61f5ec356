/** The public key of a passkey, as JWK: Ed25519, P-256 or RSA. */
export interface PasskeyJwk {
  kty: "OKP" | "EC" | "RSA";
  crv?: string;
  x?: string;
  y?: string;
  n?: string;
  e?: string;
}

/** A browser's answer to a challenge, and the site that it must be for. */
export interface PasskeyCeremony {
  /** As the browser's `toJSON()` says it. Anybody may have made it up. */
  response: unknown;
  /** The challenge in base64url. */
  challenge: string;
  /** The origin of the page, such as `https://mail.example.com`. */
  origin: string;
  /** Its host name. */
  rp_id: string;
}

/** The key that a passkey's signature is verified with. */
export interface KnownPasskey {
  /** In base64url. */
  credential_id: string;
  /** COSE, in base64url. */
  public_key: string;
  /** How often its device says that it has signed; 0 for those that don't count. */
  counter: number;
}

/** A passkey that was just made. */
export interface MadePasskey extends KnownPasskey {
  jwk: PasskeyJwk;
  /** Whether it is kept in more than one device. */
  synced: boolean;
}

/** Verifies passkeys (WebAuthn, level 2). Both answer undefined for whatever isn't valid; neither throws for it. */
export interface Passkeys {
  /** Verifies that a browser made a new passkey for this site, after its person was verified. */
  register(ceremony: PasskeyCeremony): Promise<MadePasskey | undefined>;
  /** Verifies that a passkey signed the challenge for this site after its person was verified, and that its counter didn't go back. */
  verify(ceremony: PasskeyCeremony, passkey: KnownPasskey): Promise<{ counter: number } | undefined>;
}
