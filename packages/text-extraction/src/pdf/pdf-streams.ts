import { inflateSync } from "node:zlib";
import { countInflation, type Limits, tooLarge } from "../limits.ts";

/** The number of bytes before a stream that are searched for its dictionary. */
const DICTIONARY_BYTES = 2_048;
/** Nested filters of one stream. */
const MAX_FILTERS = 4;

/** Bytes of the pages' content in which hidden text is searched; longer content is read without. */
const MAX_SEARCHED_BYTES = 4_000_000;
/** Operators that may hide text: rendering without ink, and filling with white (ISO 32000-1, sections 8.6, 9.3.6). */
const HIDES_TEXT =
  /(?:^|[\s\]])[37]\s+Tr\s|(?:^|\s)(?:1(?:\.0*)?|0?\.9\d*)\s+(?:g|sc|scn|rg)\s|(?:^|\s)0\s+0\s+0\s+0\s+k\s/;

/** The signs of hidden text in the streams of a PDF. */
export interface PdfStreams {
  may_hide_text: boolean;
  /** Whether there are pictures, which may be behind white text. */
  has_images: boolean;
}

/**
 * Inflates every stream of a PDF to check the limits before a PDF reader that has none (ISO 32000-2, section
 * 7.4.4). Skips images, which text extraction ignores; a stream that only claims to be one is stopped by the
 * worker's memory limit.
 */
export function checkPdfStreams(bytes: Uint8Array, limits: Limits): PdfStreams {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = countInflation(limits, file.length);
  const found = { may_hide_text: false, has_images: false };
  let searched = 0;
  for (let at = file.indexOf("stream"); at !== -1; at = file.indexOf("stream", at + 6)) {
    const start = dataStart(file, at);
    if (isImage(file, at)) found.has_images = true;
    if (start === undefined || isImage(file, at)) continue;
    const { stored, inflated, output } = inflate(file.subarray(start), count.left());
    count.add(inflated);
    count.endPart(stored, inflated);
    if (!output.includes(" Tf")) continue;
    searched += output.length;
    found.may_hide_text ||= searched <= MAX_SEARCHED_BYTES && HIDES_TEXT.test(output.toString("latin1"));
  }
  count.end();
  return { ...found, may_hide_text: found.may_hide_text && searched <= MAX_SEARCHED_BYTES };
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
 * Inflates data, and its output again while that is deflated too. Returns the bytes consumed, produced in all,
 * and the last output.
 */
function inflate(data: Buffer, left: number): { stored: number; inflated: number; output: Buffer } {
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
  return { stored, inflated, output: input };
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
