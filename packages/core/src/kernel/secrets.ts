import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hash,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/**
 * Seals and opens what must be stored but not be readable in storage: AES-256-GCM, with the key's id in front
 * so that keys rotate.
 */
export interface Seal {
  seal(text: string): string;
  /** Throws when the text was not sealed by one of the keys. */
  open(sealed: string): string;
}

const ivBytes = 12;
const tagBytes = 16;

/** A seal over keys of 32 bytes: the first one seals, all of them open. */
export function createSeal(keys: readonly Uint8Array[]): Seal {
  if (keys.length === 0 || keys.some((key) => key.length !== 32))
    throw new Error("encryption keys are 32 bytes each, and at least one is needed");
  const byId = new Map(keys.map((key) => [keyId(key), key]));
  const [current] = [...byId];
  return {
    seal(text) {
      const [id, key] = current as [string, Uint8Array];
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return `${id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    open(sealed) {
      const [id = "", coded = ""] = sealed.split(".");
      const key = byId.get(id);
      if (key === undefined)
        throw new Error(`no encryption key ${id}: a key that was in use is missing from the configuration`);
      const bytes = Buffer.from(coded, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes));
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
        "utf8",
      );
    },
  };
}

function keyId(key: Uint8Array): string {
  return createHash("sha256").update("letterslot key id").update(key).digest("hex").slice(0, 8);
}

/** The SHA-256 of a secret in hex: what is stored of keys, codes and tokens. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** Whether two secrets are the same, in constant time for secrets of any length. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest());
}

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A random word of letters and digits: 40 characters hold 238 bits. */
export function randomWord(length: number): string {
  let word = "";
  while (word.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && word.length < length) word += letters[byte % 62]; // 248 is a multiple of 62: no letter is likelier
    }
  }
  return word;
}

/** A new API key: `ls_live_` and 40 characters. */
export const newApiKey = (): string => `ls_live_${randomWord(40)}`;

/** A new webhook secret: `whsec_` and 32 random bytes in base 64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;
