import { fromBufferPromise } from "yauzl";
import { type Bounds, countInflation, tooLarge } from "./bounds.ts";

/** Files in one archive; Office documents have some dozens. */
const maxEntries = 5_000;

/**
 * Called for each file of an archive; what it answers, if anything, is given the file's bytes as they
 * inflate.
 */
export type Visit = (name: string) => ((chunk: Uint8Array) => void) | undefined;

/**
 * Inflates every file of an archive once, without keeping anything, before a reader that trusts archives is
 * let at it. Answers the names. Fails beyond a bound, and for archives that are damaged, encrypted, or lie
 * about the size of a file.
 */
export async function walkZip(bytes: Uint8Array, bounds: Bounds, visit: Visit): Promise<Set<string>> {
  const names = new Set<string>();
  const count = countInflation(bounds, bytes.length);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const zip = await fromBufferPromise(buffer, { lazyEntries: true, validateEntrySizes: true });
  if (zip.entryCount > maxEntries) throw tooLarge("files in an archive");
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new Error("an encrypted archive");
    names.add(entry.fileName);
    if (names.size > maxEntries) throw tooLarge("files in an archive");
    if (entry.fileName.endsWith("/")) continue;
    if (entry.uncompressedSize > count.left()) throw tooLarge("inflated size");
    const take = visit(entry.fileName);
    let inflated = 0;
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      inflated += (chunk as Buffer).length;
      count.add((chunk as Buffer).length);
      take?.(chunk as Buffer);
    }
    count.endPart(entry.compressedSize, inflated);
  }
  count.end();
  return names;
}
