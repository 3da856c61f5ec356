import { createHash, createPublicKey, publicDecrypt, verify } from "node:crypto";
import type { Expected, PublishedKey } from "./vectors.ts";

type Claims = Record<string, unknown>;

const decoded = (text: string): Buffer => Buffer.from(text, "base64url");
const jsonOf = (text: string): Claims => JSON.parse(decoded(text).toString("utf8")) as Claims;
const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();

/** Verifies a receipt with node:crypto alone; answers why it is refused, or null if it is valid. */
export function refusalByNode(
  jws: string,
  keys: readonly PublishedKey[],
  expect: Expected,
  eml?: string,
): string | null {
  const parts = jws.split(".");
  const [header = "", body = "", signature = ""] = parts;
  let head: Claims;
  let claims: Claims;
  try {
    [head, claims] = [jsonOf(header), jsonOf(body)];
  } catch {
    return "malformed";
  }
  if (parts.length !== 3 || head["alg"] !== "EdDSA" || head["typ"] !== "approval-receipt+jwt")
    return "malformed";
  const published = keys.find(({ kid }) => kid === head["kid"]);
  if (published === undefined) return "unknown_key";
  const { kty, crv, x } = published;
  const key = createPublicKey({ key: { kty, crv, x }, format: "jwk" });
  if (!verify(null, Buffer.from(`${header}.${body}`), key, decoded(signature))) return "invalid_signature";
  return refusalOfClaims(claims, published, expect) ?? refusalOfMail(claims, eml);
}

function refusalOfClaims(claims: Claims, key: PublishedKey, expect: Expected): string | null {
  const iat = claims["iat"] as number;
  const at = (time: string) => Math.floor(Date.parse(time) / 1000);
  if (iat < at(key.created_at) || (key.retired_at !== null && iat > at(key.retired_at)))
    return "key_not_valid_then";
  const act = claims["act"] as { digest: string } | undefined;
  if (expect.iss !== undefined && claims["iss"] !== expect.iss) return "other_issuer";
  if (expect.account !== undefined && claims["sub"] !== expect.account) return "other_account";
  if (expect.approval !== undefined && claims["jti"] !== expect.approval) return "other_approval";
  if (expect.digest !== undefined && act?.digest !== expect.digest) return "other_digest";
  if (expect.decision !== undefined && claims["decision"] !== expect.decision) return "other_decision";
  if (expect.prev !== undefined && claims["prev"] !== expect.prev) return "broken_chain";
  if (expect.parent !== undefined && claims["parent"] !== sha256(expect.parent).toString("hex"))
    return "other_parent";
  const decided_in_time = iat >= (claims["asked_at"] as number) && iat <= (claims["expires_at"] as number);
  if (claims["parent"] === undefined && !decided_in_time) return "decided_too_late";
  const evidence = (claims["evidence"] ?? []) as Record<string, string>[];
  const passkeys = evidence.filter(({ type }) => type === "passkey");
  if (expect.approver_keys !== undefined && passkeys.length === 0) return "no_passkey";
  if (!passkeys.every((passkey) => signs(passkey, claims, expect))) return "invalid_passkey";
  return evidence.every((each) => each["type"] !== "dkim" || isReply(each)) ? null : "invalid_dkim";
}

/** What stands before a SHA-256 in an RSA signature (RFC 8017, 9.2). */
const DIGEST_INFO = Buffer.from("3031300d060960864801650304020105000420", "hex");

/** Whether a reply's DKIM signature is of the header with this hash, by this key. */
function isReply({ key = "", signature = "", header_hash = "" }: Record<string, string>): boolean {
  const published = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
  const [signed, hash] = [Buffer.from(signature, "base64"), Buffer.from(header_hash, "hex")];
  if (published.asymmetricKeyType === "ed25519") return verify(null, hash, published, signed);
  try {
    return publicDecrypt(published, signed).equals(Buffer.concat([DIGEST_INFO, hash]));
  } catch {
    return false;
  }
}

/** Whether a passkey signed exactly this decision, and its person was verified on their device. */
function signs(passkey: Record<string, unknown>, claims: Claims, { approver_keys }: Expected): boolean {
  const { iat: _iat, prev: _prev, evidence: _evidence, ...statement } = claims;
  const [client, data, signature] = ["client_data", "authenticator_data", "signature"].map((name) =>
    decoded(passkey[name] as string),
  ) as [Buffer, Buffer, Buffer];
  const said = JSON.parse(client.toString("utf8")) as Record<string, string>;
  const site = new URL(claims["iss"] as string);
  const jwk = passkey["public_key"] as Record<string, string>;
  const known = approver_keys?.some((own) => canonical(own) === canonical(jwk)) ?? true;
  const fits =
    said["type"] === "webauthn.get" &&
    said["origin"] === site.origin &&
    decoded(said["challenge"] ?? "").equals(sha256(canonical(statement))) &&
    data.subarray(0, 32).equals(sha256(site.hostname)) &&
    ((data[32] ?? 0) & 5) === 5;
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const how = jwk["kty"] === "OKP" ? null : "sha256";
  return known && fits && verify(how, Buffer.concat([data, sha256(client)]), key, signature);
}

const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`;
};

const TRACE =
  /^(?:received|return-path|delivered-to|authentication-results|arc-[a-z-]+|dkim-signature|x-[\w-]+)[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*/i;

/** Whether the mail is another than the one that left, under whatever servers wrote above it. */
function refusalOfMail(claims: Claims, eml: string | undefined): string | null {
  if (eml === undefined) return null;
  for (let mail = eml; ; mail = mail.replace(TRACE, "")) {
    if (sha256(mail).toString("hex") === claims["mime_sha256"]) return null;
    if (!TRACE.test(mail)) return "other_mail";
  }
}
