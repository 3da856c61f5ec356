import { type Entry, fromBufferPromise } from "yauzl";
import { countInflation, type Limits, tooLarge } from "../limits.ts";

/** Files in one archive; Office documents have a few dozen. */
const MAX_ENTRIES = 5_000;

/** The parts of an Office file that must be read before the others: relationships, then styles. */
const EARLY_PARTS = [/\.rels$/i, /\/(?:styles|numbering)[^/]*\.xml$/i];

/** Called for each file of an archive; may return a consumer for its inflated bytes. */
export type Visit = (name: string) => ((chunk: Uint8Array) => void) | undefined;

/**
 * Inflates every file of an archive to check the limits before a reader that has none, relationships and styles
 * first; keeps nothing but the names, which it returns. Fails above a limit, and for archives that are damaged,
 * encrypted or declare wrong sizes.
 */
export async function walkZip(bytes: Uint8Array, limits: Limits, visit: Visit): Promise<Set<string>> {
  const names = new Set<string>();
  const count = countInflation(limits, bytes.length);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const zip = await fromBufferPromise(buffer, { lazyEntries: true, validateEntrySizes: true });
  if (zip.entryCount > MAX_ENTRIES) throw tooLarge("files in an archive");
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new Error("an encrypted archive");
    names.add(entry.fileName);
    if (names.size > MAX_ENTRIES) throw tooLarge("files in an archive");
    if (!entry.fileName.endsWith("/")) entries.push(entry);
  }
  for (const entry of entries.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    if (entry.uncompressedSize > count.left()) throw tooLarge("inflated size");
    const consume = visit(entry.fileName);
    let inflated = 0;
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      inflated += (chunk as Buffer).length;
      count.add((chunk as Buffer).length);
      consume?.(chunk as Buffer);
    }
    count.endPart(entry.compressedSize, inflated);
  }
  count.end();
  return names;
}

function rankOf({ fileName }: Entry): number {
  const rank = EARLY_PARTS.findIndex((part) => part.test(fileName));
  return rank === -1 ? EARLY_PARTS.length : rank;
}
