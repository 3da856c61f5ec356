import { createHash } from "node:crypto";
import type { Services } from "../../kernel/context.ts";
import type { PasskeyRecord } from "../../model/passkeys.ts";
import { siteOf } from "./verify.ts";

/** Ed25519, ES256 and RS256, by their COSE numbers: keys that every verifier of receipts knows. */
const KINDS = [-8, -7, -257].map((alg) => ({ type: "public-key", alg }));
const TIMEOUT_MS = 120_000;

/** The options with which a browser makes a passkey for a person. */
export const creationOptions = (
  own: Pick<Services, "options">,
  { email, challenge, passkeys }: { email: string; challenge: string; passkeys: readonly PasskeyRecord[] },
): Record<string, unknown> => ({
  challenge,
  rp: { id: siteOf(own).rp_id, name: "Letterslot" },
  // A hash of the address: a device knows by it that it has a passkey for this person, and nobody reads it there.
  user: { id: createHash("sha256").update(email).digest("base64url"), name: email, displayName: email },
  pubKeyCredParams: KINDS,
  timeout: TIMEOUT_MS,
  attestation: "none",
  authenticatorSelection: {
    residentKey: "required",
    requireResidentKey: true,
    userVerification: "required",
  },
  excludeCredentials: passkeys.map(({ credential_id: id }) => ({ type: "public-key", id })),
});

/** The options with which a browser has a passkey sign; without passkeys the person chooses among those of this site. */
export const requestOptions = (
  own: Pick<Services, "options">,
  { challenge, passkeys = [] }: { challenge: string; passkeys?: readonly PasskeyRecord[] },
): Record<string, unknown> => ({
  challenge,
  rpId: siteOf(own).rp_id,
  timeout: TIMEOUT_MS,
  userVerification: "required",
  allowCredentials: passkeys.map(({ credential_id: id }) => ({ type: "public-key", id })),
});
