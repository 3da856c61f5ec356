import { createHash, generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto";
import type { Zone } from "../../packages/adapter-smtp/test/dns-server.ts";

/** A domain's signing key, and the DNS record that publishes it. */
export interface SigningKey {
  domain: string;
  selector: string;
  private_key: KeyObject;
  /** The public key in base64, as in `p=`. */
  published: string;
  zone: Zone;
}

/** The tags of a signature; null omits a tag. */
export type Tags = Record<string, string | null>;

/** Creates a key for a domain: RSA with `bits` bits, or Ed25519. */
export function createSigningKey(
  domain: string,
  { bits = 2048, ed25519 = false, selector = "s1" } = {},
): SigningKey {
  const { privateKey, publicKey } = ed25519
    ? generateKeyPairSync("ed25519")
    : generateKeyPairSync("rsa", { modulusLength: bits });
  const der = publicKey.export({ type: "spki", format: "der" });
  // RFC 8463, section 4: the raw key, which is the end of its SubjectPublicKeyInfo.
  const published = (ed25519 ? der.subarray(-32) : der).toString("base64");
  const record = `v=DKIM1; k=${ed25519 ? "ed25519" : "rsa"}; p=${published}`;
  return {
    domain,
    selector,
    private_key: privateKey,
    published,
    zone: createZone({ domain, selector }, record),
  };
}

/** Creates the zone that publishes a key's record. */
export function createZone(
  { domain, selector }: Pick<SigningKey, "domain" | "selector">,
  record: string,
): Zone {
  return { [`TXT ${selector}._domainkey.${domain}`]: [record] };
}

/**
 * Signs a mail with CRLF line ends (RFC 6376, sections 3.4 to 3.7) without validation: the signature contains
 * all `tags` and is correct for them.
 */
export function sign(mail: string, key: SigningKey, tags: Tags = {}): string {
  return `${signatureField(mail, key, "DKIM-Signature", { v: "1", ...tags })}\r\n${mail}`;
}

/** Seals a mail (RFC 8617) as the next instance, with the sealer's `results`. */
export function seal(
  mail: string,
  key: SigningKey,
  { results, tags = {}, signature_tags = {} }: { results: string; tags?: Tags; signature_tags?: Tags },
): string {
  const before = splitFields(mail).filter((field) => /^arc-/i.test(field));
  const i = tags["i"] ?? String(before.length / 3 + 1);
  const stated = `ARC-Authentication-Results: i=${i}; ${results}`;
  const signature = signatureField(mail, key, "ARC-Message-Signature", { i, ...signature_tags });
  const sets = [...before].reverse();
  const said = {
    i,
    a: defaultAlgorithm(key),
    cv: before.length === 0 ? "none" : "pass",
    d: key.domain,
    s: key.selector,
    ...tags,
  };
  const unsigned = `ARC-Seal: ${formatTags({ ...said, b: "" })}`;
  const text =
    [...sets, stated, signature].map((field) => `${canonicaliseField(field)}\r\n`).join("") +
    canonicaliseField(unsigned);
  return [`${unsigned}${signText(text, key, said.a ?? "")}`, signature, stated, mail].join("\r\n");
}

function signatureField(mail: string, key: SigningKey, name: string, tags: Tags): string {
  const body = mail.slice(mail.indexOf("\r\n\r\n") + 4);
  const a = tags["a"] ?? defaultAlgorithm(key);
  const c = tags["c"] ?? "relaxed/relaxed";
  const h = tags["h"] ?? "from:to:subject:date:message-id";
  const hashed = canonicaliseBody(body, c).slice(
    0,
    tags["l"] === undefined || tags["l"] === null ? undefined : Number(tags["l"]),
  );
  const bh = createHash(hashAlgorithm(a)).update(hashed).digest("base64");
  const unsigned = `${name}: ${formatTags({ a, c, d: key.domain, s: key.selector, h, bh, ...tags, b: "" })}`;
  const canonical = c.startsWith("simple") ? (field: string) => field : canonicaliseField;
  const text =
    pickSignedFields(splitFields(mail), h)
      .map((field) => `${canonical(field)}\r\n`)
      .join("") + canonical(unsigned);
  return unsigned + signText(text, key, a);
}

const formatTags = (tags: Tags) =>
  Object.entries(tags)
    .flatMap(([tag, value]) => (value === null ? [] : [`${tag}=${value}`]))
    .join("; ");

const defaultAlgorithm = ({ private_key }: SigningKey) => `${private_key.asymmetricKeyType}-sha256`;
const hashAlgorithm = (algorithm: string) => (algorithm.endsWith("sha1") ? "sha1" : "sha256");

function signText(text: string, { private_key }: SigningKey, algorithm: string): string {
  const bytes = Buffer.from(text);
  // RFC 8463, section 3: Ed25519 signs the hash.
  return private_key.asymmetricKeyType === "ed25519"
    ? signBytes(null, createHash("sha256").update(bytes).digest(), private_key).toString("base64")
    : signBytes(hashAlgorithm(algorithm), bytes, private_key).toString("base64");
}

function splitFields(mail: string): string[] {
  return mail.slice(0, mail.indexOf("\r\n\r\n")).split(/\r\n(?![ \t])/);
}

/** Picks the signed fields: for each name the lowest one not picked yet. */
function pickSignedFields(fields: string[], h: string): string[] {
  const left = [...fields].reverse();
  return h.split(":").flatMap((name) => {
    const at = left.findIndex(
      (field) => field.slice(0, field.indexOf(":")).trim().toLowerCase() === name.trim().toLowerCase(),
    );
    return at < 0 ? [] : left.splice(at, 1);
  });
}

function canonicaliseField(field: string): string {
  const colon = field.indexOf(":");
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, "")
    .replace(/[ \t]+/g, " ")
    .trim();
  return `${field.slice(0, colon).trim().toLowerCase()}:${value}`;
}

function canonicaliseBody(body: string, c: string): string {
  const text = c.endsWith("/relaxed") ? body.replace(/[ \t]+/g, " ").replace(/ \r\n/g, "\r\n") : body;
  const whole = text.replace(/(?:\r\n)+$/, "");
  return whole === "" && c.endsWith("/relaxed") ? "" : `${whole}\r\n`;
}
