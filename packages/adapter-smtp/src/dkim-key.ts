import { createPrivateKey, createPublicKey, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";

/** A key that signs for a domain. `private_key` is PEM (PKCS #8) and a secret. */
export interface DkimKey {
  selector: string;
  private_key: string;
}

const RSA_BITS = 2048;
const MAX_CHUNK_CHARS = 255;

/**
 * Makes a key to sign mail with: RSA of 2048 bits, which every receiver checks (RFC 8301), under `selector`.
 */
export async function generateDkimKey(options: { selector: string }): Promise<DkimKey> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: RSA_BITS });
  return {
    selector: options.selector,
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/**
 * The TXT record that publishes a key (RFC 6376 section 3.6.1, RFC 8463): its name under `domain`, its value
 * in one piece, and the value in chunks as a zone file needs them.
 */
export function dkimRecord(options: { key: DkimKey; domain: string }): {
  name: string;
  value: string;
  chunks: string[];
} {
  const private_key = createPrivateKey(options.key.private_key);
  const public_key = createPublicKey(private_key).export({ type: "spki", format: "der" });
  const is_rsa = private_key.asymmetricKeyType === "rsa";
  // Ed25519 keys are published bare: the last 32 bytes of their SubjectPublicKeyInfo.
  const value = is_rsa
    ? `v=DKIM1; k=rsa; p=${public_key.toString("base64")}`
    : `v=DKIM1; k=ed25519; p=${public_key.subarray(-32).toString("base64")}`;
  const chunks = value.match(new RegExp(`.{1,${MAX_CHUNK_CHARS}}`, "g")) ?? [];
  return { name: `${options.key.selector}._domainkey.${options.domain}`, value, chunks };
}
