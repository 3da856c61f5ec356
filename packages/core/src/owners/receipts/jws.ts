import { createHash, sign } from "node:crypto";
import { canonicalJson } from "../../kernel/idempotency.ts";
import type { SigningKey } from "./keys.ts";

const RECEIPT_TYPE = "approval-receipt+jwt";

/** The claims of a receipt. */
export type Claims = Record<string, unknown>;

/** Signs claims: a JWS in compact form, whose payload is their canonical form (RFC 8785). */
export function signReceipt({ kid, key }: Pick<SigningKey, "kid" | "key">, claims: Claims): string {
  const header = canonicalJson({ alg: "EdDSA", kid, typ: RECEIPT_TYPE });
  const signed = [header, canonicalJson(claims)].map((part) => Buffer.from(part).toString("base64url"));
  const input = signed.join(".");
  return `${input}.${sign(null, Buffer.from(input), key).toString("base64url")}`;
}

/** The claims of a receipt that this service stored; nothing is verified. */
export const claimsOf = (jws: string): Claims =>
  JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString("utf8")) as Claims;

/** The name of a receipt in `prev` and `parent`: SHA-256 in hex of its JWS. */
export const hashOfReceipt = (jws: string): string => createHash("sha256").update(jws).digest("hex");
