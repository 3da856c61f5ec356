import { createPrivateKey, createPublicKey, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import type { OutgoingMail } from "@letterslot/core/ports";
import { inTurns } from "./in-turns.ts";

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

async function signatureOf(mail: { raw: Uint8Array; domain: string; key: DkimKey }): Promise<Buffer> {
  // Built into a package, a CommonJS module has its default export alone.
  const { default: signing } = await import("mailauth/lib/dkim/sign.js");
  const raw = Buffer.from(mail.raw.buffer, mail.raw.byteOffset, mail.raw.byteLength);
  const key = { signingDomain: mail.domain, selector: mail.key.selector, privateKey: mail.key.private_key };
  const signed = await signing.dkimSign(inTurns(raw), {
    ...key,
    canonicalization: "relaxed/relaxed",
    headerList: SIGNED_HEADERS,
    strict: true,
    signatureData: [key],
  });
  if (signed.signatures === "") throw new Error(`The message could not be signed for ${mail.domain}.`);
  return Buffer.from(signed.signatures);
}
