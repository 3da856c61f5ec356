import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  sign,
} from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import type { OutgoingMail } from "@letterslot/core/ports";
import { createBoundedMap } from "@letterslot/node-kit";
import { bodyStart, headerRows, withCrlf } from "../sender/header-rows.ts";

/** A domain's DKIM key. `private_key` is PEM (PKCS #8) and a secret. */
export interface DkimKey {
  selector: string;
  private_key: string;
}

/** Finds the key that signs for a From domain; null to send unsigned. */
export type FindDkimKey = (domain: string) => Promise<DkimKey | null>;

const RSA_BITS = 2048;
const MAX_CHUNK_CHARS = 255;
/** The headers that a signature covers, where present (RFC 6376, section 5.4.1). */
const SIGNED_HEADERS = [
  ...["From", "To", "Cc", "Subject", "Date", "Message-ID", "Reply-To", "In-Reply-To", "References"],
  ...["MIME-Version", "Content-Type", "Content-Transfer-Encoding"],
  ...["List-Unsubscribe", "List-Unsubscribe-Post", "Auto-Submitted"],
];

/** Generates a signing key: RSA with 2048 bits, which every receiver supports (RFC 8301). */
export async function generateDkimKey(options: { selector: string }): Promise<DkimKey> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: RSA_BITS });
  return {
    selector: options.selector,
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/**
 * The TXT record that publishes a key (RFC 6376 section 3.6.1, RFC 8463): its name under `domain`, its whole
 * value, and the value split into chunks for a zone file.
 */
export function dkimRecord(options: { key: DkimKey; domain: string }): {
  name: string;
  value: string;
  chunks: string[];
} {
  const private_key = createPrivateKey(options.key.private_key);
  const public_key = createPublicKey(private_key).export({ type: "spki", format: "der" });
  const is_rsa = private_key.asymmetricKeyType === "rsa";
  // Ed25519 keys are published raw: the last 32 bytes of their SubjectPublicKeyInfo.
  const value = is_rsa
    ? `v=DKIM1; k=rsa; p=${public_key.toString("base64")}`
    : `v=DKIM1; k=ed25519; p=${public_key.subarray(-32).toString("base64")}`;
  const chunks = value.match(new RegExp(`.{1,${MAX_CHUNK_CHARS}}`, "g")) ?? [];
  return { name: `${options.key.selector}._domainkey.${options.domain}`, value, chunks };
}

/**
 * A mail's bytes as they leave, in parts that follow each other: its signature for its From domain, if there is a key, and
 * itself. Rejects if the key cannot sign.
 */
export async function bytesToSend(
  { from, raw }: Pick<OutgoingMail, "from" | "raw">,
  findKey: FindDkimKey | undefined,
): Promise<readonly Uint8Array[]> {
  const domain = from.slice(from.lastIndexOf("@") + 1).toLowerCase();
  const key = (await findKey?.(domain)) ?? null;
  return key === null ? [raw] : [await signatureOf({ raw, domain, key }), raw];
}

/** Prepends a DKIM-Signature (RFC 6376) of `domain` to a message. Rejects if the key cannot sign. */
export async function signMail(mail: Parameters<typeof signatureOf>[0]): Promise<Uint8Array> {
  return Buffer.concat([await signatureOf(mail), mail.raw]);
}

let loading: ReturnType<typeof loadSigning> | undefined;

/**
 * Signs with mailauth's canonical forms, but not with its signer: that parses the key anew for each mail, which costs as
 * much as signing, reads the header byte by byte, and signs on the event loop.
 */
async function signatureOf(mail: { raw: Uint8Array; domain: string; key: DkimKey }): Promise<Buffer> {
  const { dkimBody, generateCanonicalizedHeader, syntax, tools } = await (loading ??= loadSigning());
  const { domain: signingDomain, key } = mail;
  const private_key = privateKeyOf(key.private_key);
  const raw = Buffer.from(mail.raw.buffer, mail.raw.byteOffset, mail.raw.byteLength);
  const body_at = bodyStart(raw);
  const rows = headerRows(withCrlf(raw.subarray(0, body_at)));
  const lines = tools.getSigningHeaderLines(rows, SIGNED_HEADERS.join(":"));
  const is_named =
    syntax.DOMAIN_NAME.test(tools.toALabel(signingDomain)) &&
    syntax.SELECTOR.test(tools.toALabel(key.selector));
  if (!is_named || !lines.headers.some(({ key: name }) => name === "from"))
    throw new Error(`The message could not be signed for ${signingDomain}.`);

  const hasher = dkimBody("relaxed", "sha256");
  const body = withCrlf(raw.subarray(body_at));
  for (let at = 0; at < body.length; at += HASHED_PER_TURN_BYTES) {
    if (at > 0) await setImmediate();
    hasher.update(body.subarray(at, at + HASHED_PER_TURN_BYTES));
  }
  const is_rsa = private_key.asymmetricKeyType === "rsa";
  const { canonicalizedHeader, dkimHeaderOpts } = generateCanonicalizedHeader("DKIM", lines, {
    ...{ signingDomain, selector: key.selector, algorithm: is_rsa ? "rsa-sha256" : "ed25519-sha256" },
    ...{ canonicalization: "relaxed/relaxed", bodyHash: hasher.digest("base64") },
  });
  // In a thread of the pool. RFC 8463: Ed25519 signs the hash.
  const signature = await (is_rsa
    ? signInPool("sha256", canonicalizedHeader, private_key)
    : signInPool(null, createHash("sha256").update(canonicalizedHeader).digest(), private_key));
  const b = signature.toString("base64");
  return Buffer.from(`${tools.formatSignatureHeaderLine("DKIM", { ...dkimHeaderOpts, b }, true)}\r\n`);
}

const signInPool: (algorithm: string | null, data: Buffer, key: KeyObject) => Promise<Buffer> =
  promisify(sign);

/** Hashing this much takes some ten milliseconds. */
const HASHED_PER_TURN_BYTES = 262_144;
/** RFC 8301, section 3.2. */
const MIN_RSA_BITS = 1024;
/** Keys that are kept parsed; beyond that the oldest is parsed again. */
const MAX_KEYS = 1_000;
const parsed_keys = createBoundedMap<string, KeyObject>(MAX_KEYS);

function privateKeyOf(pem: string): KeyObject {
  const known = parsed_keys.get(pem);
  if (known !== undefined) return known;
  const key = createPrivateKey(pem);
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type !== "ed25519" && (type !== "rsa" || (details?.modulusLength ?? 0) < MIN_RSA_BITS))
    throw new Error("A DKIM key must be RSA with at least 1024 bits, or Ed25519.");
  parsed_keys.set(pem, key);
  return key;
}

/** Loads what of mailauth signs, on the first signature. */
async function loadSigning() {
  const [body, header, syntax, tools] = await Promise.all([
    import("mailauth/lib/dkim/body/index.js").then(exportsOf),
    import("mailauth/lib/dkim/header/index.js").then(exportsOf),
    import("mailauth/lib/dkim/syntax.js").then(exportsOf),
    import("mailauth/lib/tools.js").then(exportsOf),
  ]);
  return { ...body, ...header, syntax, tools };
}

/** Built into a package, a CommonJS module has its default export alone. */
const exportsOf = <M extends object>(module: M): M => (module as { default?: M }).default ?? module;
