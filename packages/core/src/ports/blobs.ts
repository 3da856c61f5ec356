import type { Transaction } from "./storage.ts";

/** Content-addressed storage of raw mail and attachments. When `put` has resolved, the bytes are durable. */
export interface Blobs {
  /**
   * Stores the bytes and returns their SHA-256 in hex. Storing the same bytes again is free, and renews their
   * time of storage. Keeps no reference to the given bytes: once this has resolved, the caller may free them.
   */
  put(bytes: Uint8Array): Promise<string>;
  /**
   * Stores bytes as they come, a few megabytes of them in memory at a time. When the source throws, nothing is stored
   * and its error is thrown on. Keeps no reference to the given bytes, as `put`. Where `known` says what they are, storing
   * them again is free too: they aren't read.
   */
  putStream(bytes: AsyncIterable<Uint8Array>, known?: ReceivedBlob): Promise<ReceivedBlob>;
  /** The bytes, or undefined if nothing has that hash. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /**
   * The bytes as they are read, a few megabytes of them in memory at a time; undefined if nothing has that hash. Bytes that
   * can't be read to their end, or prove to be others, end with an error before the last of them.
   */
  getStream(hash: string): Promise<StreamedBlob | undefined>;
  /** Which of these hashes have bytes, without reading them. */
  has(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Deletes the bytes unless they were put at or after `unless_put_since`; returns whether they are gone. */
  delete(hash: string, unless_put_since: Date): Promise<boolean>;
  /**
   * Prepares bytes to be put in a transaction of the same database, so that they share its commit; the bytes
   * must not change until then. Omitted by blobs outside the database.
   */
  stage?(bytes: Uint8Array): Promise<StagedBlob>;
  /**
   * Deletes some of what puts and deletes that ended midway left outside the database. Omitted by blobs that leave
   * nothing there.
   */
  sweep?(): Promise<void>;
}

/** The result of a stream. */
export interface ReceivedBlob {
  /** The SHA-256 of the bytes in hex. */
  hash: string;
  size_bytes: number;
}

/** Bytes that are read as they are asked for; until then nothing is open. */
export interface StreamedBlob {
  size_bytes: number;
  bytes: AsyncGenerator<Uint8Array>;
}

/** Bytes to be put in a transaction. */
export interface StagedBlob {
  /** Their SHA-256 in hex. */
  hash: string;
  /** Puts them: they exist if the transaction commits, and count as put at that time. */
  put(tx: Transaction): void;
}
