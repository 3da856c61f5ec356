import { createPublicKey, hash as digest, type KeyObject } from "node:crypto";
import { createBoundedMap } from "@letterslot/node-kit";
import { getPublicKey, toALabel } from "mailauth/lib/tools.js";
import { dnsError } from "./cached-dns.ts";
import type { MailauthResolver } from "./limited-dns.ts";

/** Parsed keys to cache: parsing one costs as much as checking a signature. */
const MAX_CACHED_KEYS = 500;
/** Longer records are not cached: most keys need a tenth of this, and a stranger's may be of any length. */
export const MAX_CACHED_RECORD_CHARS = 4_096;
/** Larger RSA keys are refused: nobody publishes one, and verifying with one takes milliseconds. */
export const MAX_RSA_BITS = 8_192;
/** The longest DNS name. */
const MAX_NAME_CHARS = 253;

/** A parsed key. */
export interface PublicKey {
  publicKey: string | KeyObject;
  /** The DNS record. */
  rr: string;
  modulusLength?: number;
  /** SHA-256 of its SubjectPublicKeyInfo, in base64url. */
  key_hash: string;
  /** The same in DER, base64. */
  spki: string;
  keyType: string;
  flags: string[];
}

/** Reads the keys that one message refers to, each once. */
export interface KeyReader {
  get(
    type: string,
    name: string,
    min_bits: number | undefined,
    options: { hashAlgo: string },
  ): Promise<PublicKey>;
  /** The hash of the key that was read from this record; null when none was. */
  hashOf(record: string): string | null;
  /** The key itself, in DER and base64. */
  spkiOf(record: string): string | null;
}

/** Creates a key reader. Reads fail with a DNS error code or with the code of a fault in the record. */
export function createKeyReader(resolver: MailauthResolver): KeyReader {
  const reads = new Map<string, Promise<PublicKey>>();
  const read = new Map<string, PublicKey>();
  return {
    hashOf: (record) => read.get(record)?.key_hash ?? null,
    spkiOf: (record) => read.get(record)?.spki ?? null,
    get(_type, name, _min_bits, { hashAlgo }) {
      const id = `${hashAlgo} ${name}`;
      const known = reads.get(id);
      if (known !== undefined) return known;
      const key = readKey(name, hashAlgo, resolver);
      // The keys of a chain are requested before anything awaits them.
      key.then(
        (found) => read.set(found.rr, found),
        () => undefined,
      );
      reads.set(id, key);
      return key;
    },
  };
}

/** Parsed keys by record text; never stale, since the same text is always the same key. */
const keyCache = createBoundedMap<string, PublicKey>(MAX_CACHED_KEYS);
/** The key parsed from an answer, for one hash: a cached answer is the very same object. */
const keyOfAnswer = new WeakMap<object, { hash: string; key: PublicKey }>();

async function readKey(name: string, hash: string, resolver: MailauthResolver): Promise<PublicKey> {
  const ascii = toALabel(name);
  // An overlong name has no key; looking it up would look like a DNS failure.
  if (ascii.length > MAX_NAME_CHARS) throw dnsError("ENOTFOUND");
  const answer = await resolver(ascii, "TXT");
  const before = keyOfAnswer.get(answer);
  if (before?.hash === hash) return before.key;
  const id = `${hash} ${JSON.stringify(answer[0])}`;
  const cached = keyCache.get(id);
  if (cached !== undefined) {
    keyOfAnswer.set(answer, { hash, key: cached });
    return cached;
  }
  const parsed = await getPublicKey("DKIM", name, undefined, async () => answer, {
    strict: true,
    hashAlgo: hash,
  });
  if ((parsed.modulusLength ?? 0) > MAX_RSA_BITS) throw dnsError("EINVALIDVAL");
  const publicKey = createPublicKey(parsed.publicKey);
  const der = publicKey.export({ type: "spki", format: "der" });
  const key_hash = digest("sha256", der, "base64url");
  const key = { ...parsed, publicKey, key_hash, spki: der.toString("base64") };
  if (id.length > MAX_CACHED_RECORD_CHARS) return key;
  keyCache.set(id, key);
  return key;
}
