/** An object as its writer knows it. */
export interface ObjectIdentity {
  /** Its name: letters, digits, `-` and `/`, at most 200 characters. */
  name: string;
  /** The SHA-256 of its bytes in hex. */
  sha256: string;
  size_bytes: number;
}

/**
 * A store of large objects outside the database, for blobs whose index stays in it. No name is written twice with other
 * bytes. Every function ends within a deadline, and fails with `storage_unavailable` when the store doesn't answer or refuses.
 */
export interface Objects {
  /** Stores the bytes; when it has resolved, they are durable. Storing them again does no harm. */
  put(object: ObjectIdentity, bytes: Uint8Array): Promise<void>;
  /**
   * Stores bytes as they come, a few megabytes of them in memory at a time. When the source throws, no object is
   * stored and its error is thrown on.
   */
  putStream(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * The bytes, or undefined if there is no object of that name. Bytes of another size or hash are never returned:
   * they fail with `storage_unavailable`.
   */
  get(object: ObjectIdentity): Promise<Uint8Array | undefined>;
  /**
   * The bytes as they are read, a few megabytes of them in memory at a time; undefined if there is no object of that name.
   * Bytes of another size or hash end with `storage_unavailable` before the last of them.
   */
  getStream(object: ObjectIdentity): Promise<AsyncGenerator<Uint8Array> | undefined>;
  /** Deletes the object; resolves also if there is none. */
  delete(name: string): Promise<void>;
}
