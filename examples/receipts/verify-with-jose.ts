import { createHash } from "node:crypto";
import { createLocalJWKSet, errors, jwtVerify } from "jose";
import type { Expected, PublishedKey } from "./vectors.ts";

/**
 * Verifies the signature and the claims of a receipt with `jose`, as any program that knows JWTs can; answers why it is
 * refused, or null. Passkeys and mails are for the other two programs.
 */
export async function refusalByJose(
  jws: string,
  keys: readonly PublishedKey[],
  expect: Expected,
): Promise<string | null> {
  const jwks = createLocalJWKSet({ keys: keys.map((key) => ({ ...key, alg: "EdDSA" })) });
  const options = { algorithms: ["EdDSA"], typ: "approval-receipt+jwt" };
  const verified = await jwtVerify(jws, jwks, options).catch((error: unknown) => error as Error);
  if (verified instanceof errors.JWKSNoMatchingKey) return "unknown_key";
  if (verified instanceof errors.JWSSignatureVerificationFailed) return "invalid_signature";
  if (verified instanceof Error) return "malformed";
  const { payload, protectedHeader } = verified;
  const { created_at, retired_at } = keys.find(({ kid }) => kid === protectedHeader.kid) as PublishedKey;
  const iat = payload.iat ?? 0;
  const after = retired_at !== null && iat > Math.floor(Date.parse(retired_at) / 1000);
  if (iat < Math.floor(Date.parse(created_at) / 1000) || after) return "key_not_valid_then";
  const { iss = payload.iss, account = payload.sub, approval = payload.jti, prev, parent } = expect;
  if (payload.iss !== iss) return "other_issuer";
  if (payload.sub !== account) return "other_account";
  if (payload.jti !== approval) return "other_approval";
  const act = payload["act"] as { digest: string } | undefined;
  if (expect.digest !== undefined && act?.digest !== expect.digest) return "other_digest";
  if (expect.decision !== undefined && payload["decision"] !== expect.decision) return "other_decision";
  if (prev !== undefined && payload["prev"] !== prev) return "broken_chain";
  const hash = createHash("sha256")
    .update(parent ?? "")
    .digest("hex");
  if (parent !== undefined && payload["parent"] !== hash) return "other_parent";
  if (payload["parent"] !== undefined) return null;
  const { asked_at, expires_at } = payload as { asked_at: number; expires_at: number };
  return iat >= asked_at && iat <= expires_at ? null : "decided_too_late";
}
