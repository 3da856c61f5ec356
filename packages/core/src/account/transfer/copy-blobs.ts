import { hash } from "node:crypto";
import type { Blobs } from "../../ports/blobs.ts";
import type { Storage } from "../../ports/storage.ts";
import { scanTable } from "./scan.ts";
import type { RecordSelection } from "./select-records.ts";

/** The result of copying blobs. */
export interface CopiedBlobs {
  blobs: number;
  /** Hashes of blobs that are missing in the source. */
  missing: string[];
}

/** Copies the blobs that the selected records use, and verifies the hash of each copy. */
export async function copyBlobs(
  from: { storage: Storage; blobs: Blobs },
  to: Blobs,
  { selection, copied }: { selection: RecordSelection; copied(blobs: number): void },
): Promise<CopiedBlobs> {
  const missing: string[] = [];
  let blobs = 0;
  for await (const name of usedHashes(from.storage, selection)) {
    if (!(await hasBlob(to, name))) {
      const bytes = await from.blobs.get(name);
      if (bytes === undefined) {
        missing.push(name);
        continue;
      }
      await to.put(bytes);
      if (!(await hasBlob(to, name)))
        throw new Error(`blob ${name} does not match its hash; the source may be damaged`);
    }
    copied(++blobs);
  }
  return { blobs, missing };
}

async function hasBlob(blobs: Blobs, name: string): Promise<boolean> {
  const bytes = await blobs.get(name);
  return bytes !== undefined && hash("sha256", bytes, "hex") === name;
}

/** The used hashes, each once: uses of one hash are adjacent. */
async function* usedHashes(storage: Storage, selection: RecordSelection): AsyncGenerator<string> {
  let last: unknown;
  for await (const batch of scanTable(storage, "blob_uses")) {
    for (const use of batch) {
      if (use["hash"] === last || !selection.includes("blob_uses", use)) continue;
      last = use["hash"];
      yield String(last);
    }
  }
}
