import { inflateSync } from "node:zlib";
import { countInflation, type Limits, tooLarge } from "./limits.ts";

/** How far before a stream its dictionary is searched. */
const DICTIONARY_BYTES = 2_048;
/** Nested filters of one stream. */
const MAX_FILTERS = 4;

/**
 * Inflates every stream of a PDF to check the limits before a PDF reader that has none (ISO 32000-2, section
 * 7.4.4). Skips images, which text extraction ignores; a stream that only claims to be one is stopped by the
 * worker's memory limit.
 */
export function checkPdfStreams(bytes: Uint8Array, limits: Limits): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = countInflation(limits, file.length);
  for (let at = file.indexOf("stream"); at !== -1; at = file.indexOf("stream", at + 6)) {
    const start = dataStart(file, at);
    if (start === undefined || isImage(file, at)) continue;
    const [stored, inflated] = inflate(file.subarray(start), count.left());
    count.add(inflated);
    count.endPart(stored, inflated);
  }
  count.end();
}

/** Offset of the data after the keyword `stream`, if it starts with a zlib header. */
function dataStart(file: Buffer, keyword: number): number | undefined {
  if (file.subarray(keyword - 3, keyword).equals(Buffer.from("end"))) return undefined;
  let start = keyword + 6;
  if (file[start] === 0x0d) start += 1;
  if (file[start] === 0x0a) start += 1;
  return hasZlibHeader(file, start) ? start : undefined;
}

function isImage(file: Buffer, keyword: number): boolean {
  const before = file.subarray(Math.max(0, keyword - DICTIONARY_BYTES), keyword).toString("latin1");
  const dictionary = before.slice(before.lastIndexOf("endobj") + 1);
  return /\/Subtype\s*\/Image\b/.test(dictionary) && /\/Width\b/.test(dictionary);
}

/**
 * Inflates data, and its output again while that is deflated too. Returns the bytes consumed and produced.
 */
function inflate(data: Buffer, left: number): [stored: number, inflated: number] {
  let input: Buffer = data;
  let stored = 0;
  let inflated = 0;
  for (let filter = 0; filter < MAX_FILTERS; filter++) {
    const step = inflateOnce(input, left - inflated);
    if (step === undefined) break;
    if (filter === 0) stored = step.consumed;
    inflated += step.output.length;
    input = step.output;
    if (!hasZlibHeader(input)) break;
  }
  return [stored, inflated];
}

function hasZlibHeader(data: Buffer, start = 0): boolean {
  const [first = 0, second = 0] = data.subarray(start, start + 2);
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

function inflateOnce(data: Buffer, left: number): { output: Buffer; consumed: number } | undefined {
  try {
    const { buffer, engine } = inflateSync(data, {
      maxOutputLength: Math.max(1, left),
      info: true,
    }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return { output: buffer, consumed: engine.bytesWritten };
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge("inflated size");
    return undefined;
  }
}
