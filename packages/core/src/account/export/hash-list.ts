/** SHA-256 hashes in hex, of which there can be millions: each takes 32 bytes. */
export interface HashList {
  /** Adds a hash; anything else becomes one that nothing has. */
  add(hash: string): void;
  /** All of them in the order in which they were added, in batches of at most this many. */
  batches(size: number): Iterable<string[]>;
}

const HASH_BYTES = 32;
const FIRST_BYTES = 32 * 1024;
const FORM = /^[0-9a-f]{64}$/;
const NO_HASH = "0".repeat(2 * HASH_BYTES);

/** Creates an empty list. */
export function createHashList(): HashList {
  let bytes = Buffer.alloc(FIRST_BYTES);
  let length = 0;
  return {
    add(hash) {
      if (length === bytes.length) bytes = Buffer.concat([bytes], 2 * bytes.length);
      length += bytes.write(FORM.test(hash) ? hash : NO_HASH, length, HASH_BYTES, "hex");
    },
    *batches(size) {
      for (let at = 0; at < length; at += size * HASH_BYTES) {
        const end = Math.min(length, at + size * HASH_BYTES);
        const batch: string[] = [];
        for (let each = at; each < end; each += HASH_BYTES)
          batch.push(bytes.toString("hex", each, each + HASH_BYTES));
        yield batch;
      }
    },
  };
}
