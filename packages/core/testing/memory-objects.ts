import { hash } from "node:crypto";
import { fail } from "../src/catalogue/errors.ts";
import type { Objects } from "../src/ports/objects.ts";

/** Objects in memory, and what a test does to them. */
export interface MemoryObjects extends Objects {
  /** The bytes by name. */
  stored: Map<string, Uint8Array>;
  /** Called before each step; what it throws is the store's failure. */
  before(verb: keyof Objects, name: string): Promise<void> | void;
}

const NAME = /^(?=.{1,200}$)[A-Za-z0-9-]+(?:\/[A-Za-z0-9-]+)*$/;

/** In-memory objects; bytes are copied in and out. */
export function createMemoryObjects(): MemoryObjects {
  const stored = new Map<string, Uint8Array>();
  const begin = async (verb: keyof Objects, name: string) => {
    if (!NAME.test(name)) throw new Error("the name of an object is not valid");
    try {
      await objects.before(verb, name);
    } catch (error) {
      throw fail("storage_unavailable", { cause: error });
    }
  };
  const objects: MemoryObjects = {
    stored,
    before() {},
    async put({ name }, bytes) {
      await begin("put", name);
      stored.set(name, Uint8Array.from(bytes));
    },
    async putStream(name, source) {
      await begin("putStream", name);
      const pieces: Uint8Array[] = [];
      for await (const piece of source) pieces.push(Uint8Array.from(piece));
      stored.set(name, Uint8Array.from(Buffer.concat(pieces)));
    },
    async get({ name, sha256, size_bytes }) {
      await begin("get", name);
      const bytes = stored.get(name);
      if (bytes === undefined) return undefined;
      if (bytes.length !== size_bytes || hash("sha256", bytes, "hex") !== sha256)
        throw fail("storage_unavailable");
      return Uint8Array.from(bytes);
    },
    async getStream(object) {
      const bytes = await objects.get(object);
      return bytes && inPieces(bytes);
    },
    async delete(name) {
      await begin("delete", name);
      stored.delete(name);
    },
  };
  return objects;
}

const PIECE_BYTES = 1024 * 1024;

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
