import { readFileSync } from "node:fs";

/** A receipt, what it is expected to say, and why it is refused; null if it is valid. */
export interface Vector {
  name: string;
  says: string;
  jws: string;
  expect: Expected;
  eml?: string;
  refused: string | null;
}

/** What is expected of a receipt. */
export interface Expected {
  iss?: string;
  account?: string;
  approval?: string;
  digest?: string;
  decision?: "approve" | "reject";
  prev?: string | null;
  parent?: string;
  approver_keys?: Record<string, string>[];
}

/** A published key. */
export interface PublishedKey {
  kty: string;
  crv: string;
  x: string;
  kid: string;
  created_at: string;
  retired_at: string | null;
}

/** The vectors, and the keys that they are verified with. */
export interface Vectors {
  keys: PublishedKey[];
  vectors: Vector[];
}

/** Reads `vectors.json`. */
export const readVectors = (): Vectors =>
  JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8")) as Vectors;
