import { inflateSync } from "node:zlib";
import { type Bounds, countInflation, tooLarge } from "./bounds.ts";

/** How much of the file before a stream is looked through for its dictionary. */
const dictionaryBytes = 2_048;
/** Filters that one stream may be behind. */
const maxFilters = 4;

/**
 * Inflates every stream of a PDF within the bounds before a reader that knows none is let at it (ISO 32000-2,
 * section 7.4.4). Pictures don't count, since reading text leaves them alone; a stream that only says so is
 * caught by the thread's memory.
 */
export function checkPdfStreams(bytes: Uint8Array, bounds: Bounds): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = countInflation(bounds, file.length);
  for (let at = file.indexOf("stream"); at !== -1; at = file.indexOf("stream", at + 6)) {
    const start = dataStart(file, at);
    if (start === undefined || isPicture(file, at)) continue;
    const [stored, inflated] = inflate(file.subarray(start), count.left());
    count.add(inflated);
    count.endPart(stored, inflated);
  }
  count.end();
}

/** Where the data begins after the word `stream`, when a zlib header stands there. */
function dataStart(file: Buffer, word: number): number | undefined {
  if (file.subarray(word - 3, word).equals(Buffer.from("end"))) return undefined;
  let start = word + 6;
  if (file[start] === 0x0d) start += 1;
  if (file[start] === 0x0a) start += 1;
  const first = file[start] ?? 0;
  const second = file[start + 1] ?? 0;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0 ? start : undefined;
}

function isPicture(file: Buffer, word: number): boolean {
  const before = file.subarray(Math.max(0, word - dictionaryBytes), word).toString("latin1");
  const dictionary = before.slice(before.lastIndexOf("endobj") + 1);
  return /\/Subtype\s*\/Image\b/.test(dictionary) && /\/Width\b/.test(dictionary);
}

/**
 * Inflates what begins here, and again what comes out as long as that is deflated too. Answers bytes taken
 * and bytes made.
 */
function inflate(data: Buffer, left: number): [stored: number, inflated: number] {
  let input: Buffer = data;
  let stored = 0;
  let inflated = 0;
  for (let filter = 0; filter < maxFilters; filter++) {
    const step = inflateOnce(input, left - inflated);
    if (step === undefined) break;
    if (filter === 0) stored = step.taken;
    inflated += step.made.length;
    input = step.made;
    if (!dataStartsDeflated(input)) break;
  }
  return [stored, inflated];
}

const dataStartsDeflated = (data: Buffer): boolean =>
  ((data[0] ?? 0) & 0x0f) === 8 && (((data[0] ?? 0) << 8) | (data[1] ?? 0)) % 31 === 0;

function inflateOnce(data: Buffer, left: number): { made: Buffer; taken: number } | undefined {
  try {
    const { buffer, engine } = inflateSync(data, {
      maxOutputLength: Math.max(1, left),
      info: true,
    }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return { made: buffer, taken: engine.bytesWritten };
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge("inflated size");
    return undefined;
  }
}
