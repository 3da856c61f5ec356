/** Raw mail and attachment bytes, stored once by content. What `put` answered is durable. */
export interface Blobs {
  /** Stores the bytes and answers their SHA-256 in hex. The same bytes again cost nothing and count as put now. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes, or undefined when nothing has that hash. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /** Deletes the bytes unless they were put at or after `unless_put_since`; says whether they are gone. */
  delete(hash: string, unless_put_since: Date): Promise<boolean>;
}
