import { hash } from "node:crypto";
import { canonicalJson } from "../../kernel/idempotency.ts";
import type { AnyRecord } from "../../model/belonging.ts";

/** The number of a table's records, and a checksum over them. */
export interface Fingerprint {
  records: number;
  /** The sum of the records' SHA-256 modulo 2^256, in hex: independent of their order. */
  sum: string;
}

const MODULUS = 2n ** 256n;

/** Creates an accumulator for the fingerprint of a table. */
export function createFingerprint(): { add(record: AnyRecord): void; value(): Fingerprint } {
  let records = 0;
  let sum = 0n;
  return {
    add(record) {
      records++;
      sum = (sum + BigInt(`0x${hash("sha256", contentOf(record), "hex")}`)) % MODULUS;
    },
    value: () => ({ records, sum: sum.toString(16).padStart(64, "0") }),
  };
}

/** A record as text, the same for every storage: without NUL characters, which PostgreSQL can't store. */
export function contentOf(record: AnyRecord): string {
  return canonicalJson(record).replaceAll("\\u0000", "");
}
