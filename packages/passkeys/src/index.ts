import type { PasskeyJwk, Passkeys } from "@letterslot/core/ports";
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeCredentialPublicKey } from "@simplewebauthn/server/helpers";

/** The kinds of key that receipts can be verified with anywhere (COSE): Ed25519, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

/** Verifies passkeys with `@simplewebauthn/server`: always that their person was verified, and for one origin alone. */
export function createPasskeys(): Passkeys {
  return {
    async register({ response, challenge, origin, rp_id }) {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rp_id,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(refused);
      if (!verified || registrationInfo === undefined) return undefined;
      const { credential, credentialBackedUp } = registrationInfo;
      const jwk = jwkOf(credential.publicKey);
      if (jwk === undefined) return undefined;
      return {
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey).toString("base64url"),
        counter: credential.counter,
        jwk,
        synced: credentialBackedUp,
      };
    },

    async verify({ response, challenge, origin, rp_id }, { credential_id, public_key, counter }) {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rp_id,
        requireUserVerification: true,
        credential: {
          id: credential_id,
          publicKey: new Uint8Array(Buffer.from(public_key, "base64url")),
          counter,
        },
      }).catch(refused);
      return verified && authenticationInfo !== undefined
        ? { counter: authenticationInfo.newCounter }
        : undefined;
    },
  };
}

/** What the library throws says what was wrong with what a browser sent. */
const refused = () => ({
  verified: false as const,
  registrationInfo: undefined,
  authenticationInfo: undefined,
});

/** A COSE key as JWK; undefined for kinds that aren't used here. */
function jwkOf(cose: Uint8Array): PasskeyJwk | undefined {
  const parts = decodeCredentialPublicKey(new Uint8Array(cose)) as unknown as Map<number, unknown>;
  const text = (part: number) => Buffer.from(parts.get(part) as Uint8Array).toString("base64url");
  const kind = parts.get(1);
  if (kind === 1 && parts.get(-1) === 6) return { kty: "OKP", crv: "Ed25519", x: text(-2) };
  if (kind === 2 && parts.get(-1) === 1) return { kty: "EC", crv: "P-256", x: text(-2), y: text(-3) };
  return kind === 3 ? { kty: "RSA", n: text(-1), e: text(-2) } : undefined;
}
