import { MAX_DECODED_CHARS, type OwnWords } from "./own-words.ts";
import { workOnContent } from "./work-on-content.ts";

/** Two parts of a large file share so many bytes: a word that one of them cuts is whole in the next. */
const SHARED_BYTES = 4_096;
/** Small files are looked into together, up to so many bytes. */
const TOGETHER_BYTES = MAX_DECODED_CHARS;
/** Longer pieces are cut. */
const SLICE_BYTES = 1024 * 1024;

type Worker = Parameters<typeof workOnContent>[0];
type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Finds this service's own words in something that leaves: in its texts, and in its files, which are read one after the
 * other, a few megabytes at a time. Large files are looked into in parts, and nothing in them is decoded.
 */
export async function findOwnWords(
  worker: Worker,
  texts: readonly string[],
  files: Iterable<Bytes>,
): Promise<OwnWords> {
  let found: OwnWords = { secrets: new Set(), tokens: new Set(), canaries: [], of_letters: false };
  const look = async (input: { texts: readonly string[]; files: Uint8Array[]; plainly?: boolean }) => {
    found = joined(found, await workOnContent(worker, "ownWords", input));
  };
  let together: Uint8Array[] = [];
  let bytes = 0;
  for (const file of files)
    for await (const { part, is_whole } of partsOf(file)) {
      if (!is_whole) {
        await look({ texts: [], files: [part], plainly: true });
        continue;
      }
      together.push(part);
      bytes += part.length;
      if (bytes < TOGETHER_BYTES) continue;
      await look({ texts: [], files: together });
      [together, bytes] = [[], 0];
    }
  await look({ texts, files: together });
  return found;
}

/** A file whole, or a large one in parts. */
async function* partsOf(file: Bytes): AsyncGenerator<{ part: Uint8Array; is_whole: boolean }> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let is_whole = true;
  for await (const piece of file)
    for (let at = 0; at < piece.length; at += SLICE_BYTES) {
      const slice = piece.subarray(at, at + SLICE_BYTES);
      pieces.push(slice);
      size += slice.length;
      if (size <= MAX_DECODED_CHARS) continue;
      is_whole = false;
      const part = Buffer.concat(pieces);
      yield { part, is_whole };
      pieces = [part.subarray(-SHARED_BYTES)];
      size = SHARED_BYTES;
    }
  const [first = new Uint8Array()] = pieces;
  yield { part: pieces.length === 1 ? first : Buffer.concat(pieces), is_whole };
}

const joined = (one: OwnWords, other: OwnWords): OwnWords => ({
  secrets: one.secrets.union(other.secrets),
  tokens: one.tokens.union(other.tokens),
  canaries: [...new Set([...one.canaries, ...other.canaries])],
  of_letters: one.of_letters || other.of_letters,
});
