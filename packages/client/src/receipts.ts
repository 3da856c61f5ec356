/** A key that a verifier trusts: an entry of `/.well-known/approval-keys.json`. */
export interface TrustedKey {
  kty: string;
  crv?: string;
  x?: string;
  kid?: string;
  created_at?: string;
  retired_at?: string | null;
}

/** The public key of a passkey, as JWK. */
export interface PasskeyKey {
  kty: string;
  crv?: string;
  x?: string;
  y?: string;
  n?: string;
  e?: string;
}

/** The claims that a receipt must have; those left out aren't checked. */
export interface ReceiptExpectations {
  /** The keys that are trusted to sign receipts, or the document that publishes them. */
  keys: readonly TrustedKey[] | { keys: readonly TrustedKey[] };
  /** The service that signed it: its BASE_URL. */
  iss?: string;
  /** The account whose receipt it is. */
  account?: string;
  /** The approval that it decides. */
  approval?: string;
  /** The digest of what was to be approved, such as `sha-256:…`. */
  digest?: string;
  /** What was decided. Without it a receipt of a rejection passes too. */
  decision?: "approve" | "reject";
  /** SHA-256 in hex of the receipt before it in the chain; null for the first one. */
  prev?: string | null;
  /** The receipt of the decision, for the receipt of the mail that left. */
  parent?: string;
  /** The people's passkeys, as JWK: the receipt must have been signed with one of them too. */
  approverKeys?: readonly PasskeyKey[];
  /** The mail as it left or as it was received, for the receipt of the mail that left. */
  eml?: Uint8Array | string;
}

/** Why a receipt was refused. */
export type ReceiptRefusal =
  | ("malformed" | "unknown_key" | "invalid_signature" | "key_not_valid_then" | "decided_too_late")
  | ("other_issuer" | "other_account" | "other_approval" | "other_digest" | "broken_chain" | "other_parent")
  | ("other_decision" | "no_passkey" | "invalid_passkey" | "invalid_dkim" | "other_mail");

/** A receipt proves nothing of what was asked. */
export class ReceiptError extends Error {
  readonly reason: ReceiptRefusal;

  constructor(reason: ReceiptRefusal) {
    super(`The receipt is refused: ${reason.replaceAll("_", " ")}.`);
    this.name = "ReceiptError";
    this.reason = reason;
  }
}

/** A receipt that was verified. */
export interface VerifiedReceipt {
  /** What it says. */
  payload: Record<string, unknown>;
  /** SHA-256 in hex of it: the `prev` of the receipt after it, the `parent` of the mail's. */
  hash: string;
}

type Bytes = Uint8Array<ArrayBuffer>;
// biome-ignore lint/suspicious/noExplicitAny: claims are read field by field, and compared strictly.
type Json = any;

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
const bytesOf = (base64: string): Bytes =>
  Uint8Array.from(atob(base64.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const hex = (bytes: Bytes): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const isSame = (a: Bytes, b: Bytes): boolean => hex(a) === hex(b);
const jsonOf = (base64: string): Json => {
  const bytes = bytesOf(base64);
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
};

/** JSON in its canonical form (RFC 8785). */
const canonical = (value: Json): string =>
  Array.isArray(value)
    ? `[${value.map(canonical).join()}]`
    : value && typeof value === "object"
      ? `{${Object.keys(value)
          .sort()
          .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
          .join()}}`
      : JSON.stringify(value);

/**
 * Verifies a receipt of an approval (a JWS), or that of the mail that left, without asking the service. Throws
 * `ReceiptError` unless a trusted key signed it while it was in use, and it says all that is expected.
 */
export async function verifyReceipt(
  jws: string,
  { keys, eml, approverKeys, ...expected }: ReceiptExpectations,
): Promise<VerifiedReceipt> {
  const check = (holds: boolean, reason: ReceiptRefusal): void => {
    if (!holds) throw new ReceiptError(reason);
  };
  const is = (value: unknown, wanted: unknown, reason: ReceiptRefusal) =>
    check(wanted === undefined || value === wanted, reason);
  const [header = "", body = "", signature = "", ...more] = jws.split(".");
  let head: Json;
  let payload: Json;
  let signed: Bytes;
  try {
    head = jsonOf(header);
    payload = jsonOf(body);
    signed = bytesOf(signature);
    check(
      !!signature &&
        !more.length &&
        head.alg === "EdDSA" &&
        head.typ === "approval-receipt+jwt" &&
        !head.crit &&
        Number.isInteger(payload.iat),
      "malformed",
    );
  } catch {
    throw new ReceiptError("malformed");
  }

  const trusted = (
    Array.isArray(keys) ? (keys as readonly TrustedKey[]) : (keys as { keys: readonly TrustedKey[] }).keys
  ).find(({ kid }) => kid && kid === head.kid);
  if (!trusted) throw new ReceiptError("unknown_key");
  const { kty, crv, x } = trusted;
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x } as Json, "Ed25519", false, ["verify"]);
  check(await crypto.subtle.verify("Ed25519", key, signed, utf8(`${header}.${body}`)), "invalid_signature");
  const { created_at, retired_at } = trusted;
  const { iat, act, evidence, prev, ...statement } = payload;
  const within =
    !(created_at && iat < Math.floor(Date.parse(created_at) / 1000)) &&
    !(retired_at && iat > Math.floor(Date.parse(retired_at) / 1000));
  check(within, "key_not_valid_then");

  is(payload.iss, expected.iss, "other_issuer");
  is(payload.sub, expected.account, "other_account");
  is(payload.jti, expected.approval, "other_approval");
  is(act?.digest, expected.digest, "other_digest");
  is(payload.decision, expected.decision, "other_decision");
  is(prev, expected.prev, "broken_chain");
  if (expected.parent) is(payload.parent, hex(await sha256(utf8(expected.parent))), "other_parent");
  check(
    payload.parent !== undefined || (iat >= payload.asked_at && iat <= payload.expires_at),
    "decided_too_late",
  );

  const passkeys = (evidence ?? []).filter((each: Json) => each.type === "passkey");
  check(!approverKeys || passkeys.length > 0, "no_passkey");
  for (const each of passkeys) {
    const known = !approverKeys || approverKeys.some((own) => isSameKey(own, each.public_key));
    const challenge = await sha256(utf8(canonical({ ...statement, act })));
    const proves = known && (await isAssertion(each, challenge, payload.iss).catch(() => false));
    check(proves, "invalid_passkey");
  }
  for (const each of (evidence ?? []).filter((one: Json) => one.type === "dkim"))
    check(await isReply(each).catch(() => false), "invalid_dkim");
  if (eml !== undefined) check(await isMail(eml, payload.mime_sha256), "other_mail");
  return { payload, hash: hex(await sha256(utf8(jws))) };
}

const isSameKey = (a: Json, b: Json): boolean =>
  ["kty", "crv", "x", "y", "n", "e"].every((part) => a[part] === b[part]);

/** Whether a passkey signed the challenge, and its person was verified on their device. */
async function isAssertion(passkey: Json, challenge: Bytes, iss: string): Promise<boolean> {
  const { public_key, signature } = passkey;
  const [client, data] = [bytesOf(passkey.client_data), bytesOf(passkey.authenticator_data)];
  const said = JSON.parse(new TextDecoder().decode(client));
  const { origin, hostname } = new URL(iss);
  const verified = ((data[32] as number) & 5) === 5;
  const fits = said.type === "webauthn.get" && said.origin === origin && verified;
  if (!fits || !isSame(bytesOf(said.challenge), challenge)) return false;
  if (!isSame(data.slice(0, 32), await sha256(utf8(hostname)))) return false;
  const hash = "SHA-256";
  const how: Json =
    public_key.kty === "EC"
      ? { name: "ECDSA", namedCurve: "P-256", hash }
      : public_key.kty === "RSA"
        ? { name: "RSASSA-PKCS1-v1_5", hash }
        : { name: "Ed25519" };
  const key = await crypto.subtle.importKey("jwk", public_key, how, false, ["verify"]);
  const given = bytesOf(signature);
  const input = new Uint8Array([...data, ...(await sha256(client))]);
  return crypto.subtle.verify(how, key, public_key.kty === "EC" ? withoutDer(given) : given, input);
}

/** The two numbers of an ECDSA signature, 32 bytes each, from their DER form. */
function withoutDer(der: Bytes): Bytes {
  const out = new Uint8Array(64);
  for (let at = 2, part = 1; part < 3; part++) {
    const length = der[at + 1] as number;
    const number = der.slice(at + 2, at + 2 + length);
    out.set(number.slice(-32), part * 32 - Math.min(length, 32));
    at += 2 + length;
  }
  return out;
}

const numberOf = (bytes: Bytes): bigint => BigInt(`0x${hex(bytes)}`);
/** The prefix of a SHA-256 in an RSA signature (RFC 8017, 9.2). */
const DIGEST_INFO = "003031300d060960864801650304020105000420";

/** Whether a reply's DKIM signature is of the header with this hash, by this key. */
async function isReply({ key, signature, header_hash }: Json): Promise<boolean> {
  const how = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  // A key that isn't RSA's is Ed25519's, whose import fails for all others.
  const rsa = await crypto.subtle.importKey("spki", bytesOf(key), how, true, ["verify"]).catch(() => null);
  const signed = bytesOf(signature);
  if (!rsa) {
    const own = await crypto.subtle.importKey("spki", bytesOf(key), "Ed25519", false, ["verify"]);
    const hash = Uint8Array.from(header_hash.match(/../g), (pair: string) => Number.parseInt(pair, 16));
    return crypto.subtle.verify("Ed25519", own, signed, hash);
  }
  // The mail isn't there to be hashed, so the number is decrypted here and compared.
  const { n = "", e = "" } = (await crypto.subtle.exportKey("jwk", rsa)) as Json;
  const modulus = numberOf(bytesOf(n));
  const { length } = hex(bytesOf(n));
  let [power, result] = [numberOf(signed), 1n];
  for (let left = numberOf(bytesOf(e)); left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * power) % modulus;
    power = (power * power) % modulus;
  }
  const end = DIGEST_INFO + header_hash;
  return result.toString(16).padStart(length, "0") === `0001${"f".repeat(length - 4 - end.length)}${end}`;
}

/** Header fields that servers write above a mail as they pass it on. */
const TRACE =
  /^(?:received|return-path|delivered-to|authentication-results|arc-[a-z-]+|dkim-signature|x-[\w-]+)(?:[ \t]*):[^\n]*\n(?:[ \t][^\n]*\n)*/i;
const MAX_TRACE = 100;

/** Whether a mail is the one with this hash, under whatever servers wrote above it. */
async function isMail(eml: Uint8Array | string, mime_sha256: unknown): Promise<boolean> {
  let bytes: Bytes = typeof eml === "string" ? utf8(eml) : new Uint8Array(eml);
  // Each byte as one character, so that lengths agree.
  let text = new TextDecoder("latin1").decode(bytes.slice(0, 100_000));
  for (let above = 0; above < MAX_TRACE; above++) {
    if (hex(await sha256(bytes)) === mime_sha256) return true;
    const length = TRACE.exec(text)?.[0].length ?? 0;
    if (length === 0) return false;
    bytes = bytes.slice(length);
    text = text.slice(length);
  }
  return false;
}
