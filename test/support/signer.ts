import { createHash, generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto";
import type { Zone } from "../../packages/adapter-smtp/test/dns-server.ts";

/** A key that signs mail for a domain, and the record that publishes it. */
export interface SigningKey {
  domain: string;
  selector: string;
  private_key: KeyObject;
  /** Base 64 of the public key, as `p=` has it. */
  published: string;
  zone: Zone;
}

/** What is said in a signature, by tag; null leaves a tag out. */
export type Tags = Record<string, string | null>;

/** Makes a key of its own for a domain: RSA of so many bits, or Ed25519. */
export function signingKey(
  domain: string,
  { bits = 2048, ed25519 = false, selector = "s1" } = {},
): SigningKey {
  const { privateKey, publicKey } = ed25519
    ? generateKeyPairSync("ed25519")
    : generateKeyPairSync("rsa", { modulusLength: bits });
  const der = publicKey.export({ type: "spki", format: "der" });
  // RFC 8463, section 4: the bare key, which ends its SubjectPublicKeyInfo.
  const published = (ed25519 ? der.subarray(-32) : der).toString("base64");
  const record = `v=DKIM1; k=${ed25519 ? "ed25519" : "rsa"}; p=${published}`;
  return {
    domain,
    selector,
    private_key: privateKey,
    published,
    zone: recordOf({ domain, selector }, record),
  };
}

/** The zone that publishes a record for a key. */
export function recordOf(
  { domain, selector }: Pick<SigningKey, "domain" | "selector">,
  record: string,
): Zone {
  return { [`TXT ${selector}._domainkey.${domain}`]: [record] };
}

/**
 * Signs a mail (RFC 6376, sections 3.4 to 3.7) without asking whether that is wise: whatever is in `tags`
 * stands in the signature, which is right for what it says. The mail has CRLF.
 */
export function sign(mail: string, key: SigningKey, tags: Tags = {}): string {
  return `${signatureField(mail, key, "DKIM-Signature", { v: "1", ...tags })}\r\n${mail}`;
}

/**
 * Seals a mail (RFC 8617) as the next instance, with what the sealer found; `tags` go into the seal,
 * `signature_tags` into the signature.
 */
export function seal(
  mail: string,
  key: SigningKey,
  { results, tags = {}, signature_tags = {} }: { results: string; tags?: Tags; signature_tags?: Tags },
): string {
  const before = fieldsOf(mail).filter((field) => /^arc-/i.test(field));
  const i = tags["i"] ?? String(before.length / 3 + 1);
  const stated = `ARC-Authentication-Results: i=${i}; ${results}`;
  const signature = signatureField(mail, key, "ARC-Message-Signature", { i, ...signature_tags });
  const sets = [...before].reverse();
  const said = {
    i,
    a: algorithmOf(key),
    cv: before.length === 0 ? "none" : "pass",
    d: key.domain,
    s: key.selector,
    ...tags,
  };
  const unsigned = `ARC-Seal: ${tagList({ ...said, b: "" })}`;
  const text =
    [...sets, stated, signature].map((field) => `${relaxed(field)}\r\n`).join("") + relaxed(unsigned);
  return [`${unsigned}${signText(text, key, said.a ?? "")}`, signature, stated, mail].join("\r\n");
}

function signatureField(mail: string, key: SigningKey, name: string, tags: Tags): string {
  const body = mail.slice(mail.indexOf("\r\n\r\n") + 4);
  const a = tags["a"] ?? algorithmOf(key);
  const c = tags["c"] ?? "relaxed/relaxed";
  const h = tags["h"] ?? "from:to:subject:date:message-id";
  const hashed = canonicalBody(body, c).slice(
    0,
    tags["l"] === undefined || tags["l"] === null ? undefined : Number(tags["l"]),
  );
  const bh = createHash(hashOf(a)).update(hashed).digest("base64");
  const unsigned = `${name}: ${tagList({ a, c, d: key.domain, s: key.selector, h, bh, ...tags, b: "" })}`;
  const canonical = c.startsWith("simple") ? (field: string) => field : relaxed;
  const text =
    pick(fieldsOf(mail), h)
      .map((field) => `${canonical(field)}\r\n`)
      .join("") + canonical(unsigned);
  return unsigned + signText(text, key, a);
}

const tagList = (tags: Tags) =>
  Object.entries(tags)
    .flatMap(([tag, value]) => (value === null ? [] : [`${tag}=${value}`]))
    .join("; ");

const algorithmOf = ({ private_key }: SigningKey) => `${private_key.asymmetricKeyType}-sha256`;
const hashOf = (algorithm: string) => (algorithm.endsWith("sha1") ? "sha1" : "sha256");

function signText(text: string, { private_key }: SigningKey, algorithm: string): string {
  const bytes = Buffer.from(text);
  // RFC 8463, section 3: Ed25519 signs the hash.
  return private_key.asymmetricKeyType === "ed25519"
    ? signBytes(null, createHash("sha256").update(bytes).digest(), private_key).toString("base64")
    : signBytes(hashOf(algorithm), bytes, private_key).toString("base64");
}

function fieldsOf(mail: string): string[] {
  return mail.slice(0, mail.indexOf("\r\n\r\n")).split(/\r\n(?![ \t])/);
}

/** The fields that are signed: of each name the lowest that isn't taken yet. */
function pick(fields: string[], h: string): string[] {
  const left = [...fields].reverse();
  return h.split(":").flatMap((name) => {
    const at = left.findIndex(
      (field) => field.slice(0, field.indexOf(":")).trim().toLowerCase() === name.trim().toLowerCase(),
    );
    return at < 0 ? [] : left.splice(at, 1);
  });
}

function relaxed(field: string): string {
  const colon = field.indexOf(":");
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, "")
    .replace(/[ \t]+/g, " ")
    .trim();
  return `${field.slice(0, colon).trim().toLowerCase()}:${value}`;
}

function canonicalBody(body: string, c: string): string {
  const text = c.endsWith("/relaxed") ? body.replace(/[ \t]+/g, " ").replace(/ \r\n/g, "\r\n") : body;
  const whole = text.replace(/(?:\r\n)+$/, "");
  return whole === "" && c.endsWith("/relaxed") ? "" : `${whole}\r\n`;
}
