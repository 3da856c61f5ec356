import { createPublicKey, type KeyObject } from "node:crypto";
import { getPublicKey, toALabel } from "mailauth/lib/tools.js";
import { dnsError } from "./cached-dns.ts";
import type { MailauthResolver } from "./check-dns.ts";

/** Keys kept ready at a time: reading one from its record costs as much as checking a signature. */
export const KEPT_KEYS = 500;
/**
 * A longer record is read anew each time: most keys need a tenth of it, and a stranger's may be of any
 * length.
 */
export const MAX_KEPT_RECORD_CHARS = 4_096;
/** An RSA key with more bits is refused: nobody publishes one, and a strange one costs milliseconds. */
export const MAX_RSA_BITS = 8_192;

/** A key as signatures are checked with it. */
export interface PublicKey {
  publicKey: string | KeyObject;
  /** The record. */
  rr: string;
  modulusLength?: number;
  keyType: string;
  flags: string[];
}

/** Reads the keys that one mail names, each once. */
export interface KeyReader {
  get(
    type: string,
    name: string,
    min_bits: number | undefined,
    options: { hashAlgo: string },
  ): Promise<PublicKey>;
}

/** A reader that asks `resolver`. Fails with the code of the DNS or of what is wrong with the record. */
export function createKeyReader(resolver: MailauthResolver): KeyReader {
  const asked = new Map<string, Promise<PublicKey>>();
  return {
    get(_type, name, _min_bits, { hashAlgo }) {
      const question = `${hashAlgo} ${name}`;
      const known = asked.get(question);
      if (known !== undefined) return known;
      const answer = readKey(name, hashAlgo, resolver);
      // Keys of a chain are asked for before anybody waits for them.
      answer.catch(() => undefined);
      asked.set(question, answer);
      return answer;
    },
  };
}

/** What records were read to: the same text is the same key for ever. */
const kept = new Map<string, PublicKey>();

async function readKey(name: string, hash: string, resolver: MailauthResolver): Promise<PublicKey> {
  const ascii = toALabel(name);
  // A name that is too long for the DNS has no key; asking for it would look like trouble.
  if (ascii.length > MAX_NAME_CHARS) throw dnsError("ENOTFOUND");
  const answer = await resolver(ascii, "TXT");
  const id = `${hash} ${JSON.stringify(answer[0])}`;
  const ready = kept.get(id);
  if (ready !== undefined) return ready;
  const read = await getPublicKey("DKIM", name, undefined, async () => answer, {
    strict: true,
    hashAlgo: hash,
  });
  if ((read.modulusLength ?? 0) > MAX_RSA_BITS) throw dnsError("EINVALIDVAL");
  const key = { ...read, publicKey: createPublicKey(read.publicKey) };
  if (id.length > MAX_KEPT_RECORD_CHARS) return key;
  kept.set(id, key);
  const oldest = kept.keys().next();
  if (kept.size > KEPT_KEYS && !oldest.done) kept.delete(oldest.value);
  return key;
}

const MAX_NAME_CHARS = 253;
