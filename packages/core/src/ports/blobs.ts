import type { Transaction } from "./storage.ts";

/** Raw mail and attachment bytes, stored once by content. What `put` answered is durable. */
export interface Blobs {
  /**
   * Stores the bytes and answers their SHA-256 in hex. The same bytes again cost nothing and count as put
   * now.
   */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes, or undefined when nothing has that hash. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /** Deletes the bytes unless they were put at or after `unless_put_since`; says whether they are gone. */
  delete(hash: string, unless_put_since: Date): Promise<boolean>;
  /**
   * Readies bytes to be put within a transaction of the storage beside, so that they share its commit; the
   * bytes must not change until then. Blobs that lie apart from the storage leave it out.
   */
  stage?(bytes: Uint8Array): Promise<StagedBlob>;
}

/** Bytes that are on their way into a transaction. */
export interface StagedBlob {
  /** Their SHA-256 in hex. */
  hash: string;
  /** Puts them: they are there if the transaction commits, and count as put then. */
  put(tx: Transaction): void;
}
