import { hash } from "node:crypto";
import { canonicalJson } from "../kernel/idempotency.ts";
import type { AnyRecord } from "./scan.ts";

/** How many records a table holds, and a sum that no other set of records has. */
export interface Fingerprint {
  records: number;
  /** The sum of the records' SHA-256, in hex: the same in whatever order they are read. */
  sum: string;
}

const modulus = 2n ** 256n;

/** Adds up the records of a table. */
export function createFingerprint(): { add(record: AnyRecord): void; value(): Fingerprint } {
  let records = 0;
  let sum = 0n;
  return {
    add(record) {
      records++;
      sum = (sum + BigInt(`0x${hash("sha256", contentOf(record), "hex")}`)) % modulus;
    },
    value: () => ({ records, sum: sum.toString(16).padStart(64, "0") }),
  };
}

/**
 * A record as one text, the same for every storage: PostgreSQL can't hold NUL characters, so they don't
 * count.
 */
export function contentOf(record: AnyRecord): string {
  return canonicalJson(record).replaceAll("\\u0000", "");
}
