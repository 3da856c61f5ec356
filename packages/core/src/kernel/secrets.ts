import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/**
 * Encrypts and decrypts what storage must not reveal (AES-256-GCM, prefixed with the key's id for key rotation), and
 * authenticates what only this service may make (HMAC-SHA-256).
 */
export interface Seal {
  seal(text: string): string;
  /** Throws when none of the keys sealed the text. */
  open(sealed: string): string;
  /** The MAC of a text for one purpose under the current key: 64 hexadecimal digits. */
  mac(purpose: string, text: string): string;
  /** The MACs under every key, the current one first, so that what an older key made is still recognised. */
  macs(purpose: string, text: string): string[];
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Creates a seal from keys of 32 bytes: the first one encrypts, all of them decrypt. */
export function createSeal(keys: readonly Uint8Array[]): Seal {
  if (keys.length === 0 || keys.some((key) => key.length !== 32))
    throw new Error("at least one encryption key is needed, and each must have 32 bytes");
  const byId = new Map(keys.map((key) => [keyId(key), key]));
  const [current] = [...byId];
  const macs = (purpose: string, text: string): string[] =>
    [...byId.values()].map((key) =>
      createHmac("sha256", createHmac("sha256", key).update(`letterslot mac ${purpose}`).digest())
        .update(text)
        .digest("hex"),
    );
  return {
    mac: (purpose, text) => macs(purpose, text)[0] as string,
    macs,
    seal(text) {
      const [id, key] = current as [string, Uint8Array];
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return `${id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    open(sealed) {
      const [id = "", coded = ""] = sealed.split(".");
      const key = byId.get(id);
      if (key === undefined)
        throw new Error(`no encryption key ${id}: the configuration lacks a key that was used before`);
      const bytes = Buffer.from(coded, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString("utf8");
    },
  };
}

function keyId(key: Uint8Array): string {
  return createHash("sha256").update("letterslot key id").update(key).digest("hex").slice(0, 8);
}

/** The SHA-256 of a secret in hex; keys, codes and tokens are stored only as this hash. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** Compares two secrets of any length in constant time. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest());
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A random string of letters and digits: 40 characters hold 238 bits. */
export function randomWord(length: number): string {
  let word = "";
  while (word.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && word.length < length) word += ALPHABET[byte % 62]; // 248 is a multiple of 62, so all characters are equally likely
    }
  }
  return word;
}

/** A new token for a link or a claim: 40 letters and digits. */
export const newToken = (): string => randomWord(40);

/** A new API key: `ls_live_` and 40 characters. */
export const newApiKey = (): string => `ls_live_${newToken()}`;

/** A new webhook secret: `whsec_` and 32 random bytes in base 64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;
