import { hash } from "node:crypto";
import type { Blobs } from "../ports/blobs.ts";
import type { Storage } from "../ports/storage.ts";
import type { Belonging } from "./belonging.ts";
import { scanTable } from "./scan.ts";

/** What became of the bytes that records use. */
export interface CopiedBlobs {
  blobs: number;
  /** Hashes whose bytes the source does not have either. */
  missing: string[];
}

/** Copies the bytes that the taken records use, and reads each back: it counts when its hash is its name. */
export async function copyBlobs(
  from: { storage: Storage; blobs: Blobs },
  to: Blobs,
  { belonging, copied }: { belonging: Belonging; copied(blobs: number): void },
): Promise<CopiedBlobs> {
  const missing: string[] = [];
  let blobs = 0;
  for await (const name of hashesOf(from.storage, belonging)) {
    if (!(await isThere(to, name))) {
      const bytes = await from.blobs.get(name);
      if (bytes === undefined) {
        missing.push(name);
        continue;
      }
      await to.put(bytes);
      if (!(await isThere(to, name)))
        throw new Error(`blob ${name} is not what its name says; the source may be damaged`);
    }
    copied(++blobs);
  }
  return { blobs, missing };
}

async function isThere(blobs: Blobs, name: string): Promise<boolean> {
  const bytes = await blobs.get(name);
  return bytes !== undefined && hash("sha256", bytes, "hex") === name;
}

/** Each hash once: uses of one hash lie next to each other. */
async function* hashesOf(storage: Storage, belonging: Belonging): AsyncGenerator<string> {
  let last: unknown;
  for await (const batch of scanTable(storage, "blob_uses")) {
    for (const use of batch) {
      if (use["hash"] === last || !belonging.takes("blob_uses", use)) continue;
      last = use["hash"];
      yield String(last);
    }
  }
}
