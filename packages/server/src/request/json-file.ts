import { createBase64Decoder, type DecodedBase64 } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";

/** A string of a JSON text that is decoded from Base64 as it comes. */
export interface FileText {
  /** Takes it from a piece at `at`, and returns where it ends there: at its quote, or with the piece. */
  take(piece: Uint8Array, at: number): number;
  /** Fails with `invalid_json` if it is no string. */
  end(): DecodedBase64;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const UNICODE_ESCAPE_CHARS = "\\u0000".length;
const SHORT_ESCAPE_CHARS = "\\/".length;

/** Creates the reader of one string, which begins after its quote. `take` fails with `invalid_json` if it is no string. */
export function createFileText(): FileText {
  // A mark at its beginning is one of its characters.
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decoder = createBase64Decoder();
  let escaped = false;
  /** The beginning of an escape that ends with the next piece. */
  let rest = "";

  const push = (text: string) => {
    const held = unfinishedEscape(text);
    rest = text.slice(text.length - held);
    const whole = text.slice(0, text.length - held);
    decoder.push(NOT_PLAIN.test(whole) ? (JSON.parse(`"${whole}"`) as string) : whole);
  };

  return {
    take(piece, at) {
      const end = endOfString(piece, at + Number(escaped));
      escaped = end === piece.length && isEscaped(piece, at + Number(escaped), end);
      orInvalid(() => push(rest + utf8.decode(piece.subarray(at, end), { stream: true })));
      return end;
    },
    end() {
      orInvalid(() => {
        if (rest + utf8.decode() !== "") throw new Error("an escape is cut off");
      });
      return decoder.end();
    },
  };
}

/** What stands in a string otherwise than as itself, or not at all. */
const NOT_PLAIN = /[\\\u0000-\u001f]/;

/** Where a string ends: at its quote, or with the piece. */
export function endOfString(piece: Uint8Array, from: number): number {
  for (let quote = piece.indexOf(QUOTE, from); quote !== -1; quote = piece.indexOf(QUOTE, quote + 1))
    if (!isEscaped(piece, from, quote)) return quote;
  return piece.length;
}

/** Whether an odd number of backslashes stands between `start` and `end`, right before it. */
export function isEscaped(piece: Uint8Array, start: number, end: number): boolean {
  let first = end;
  while (first > start && piece[first - 1] === BACKSLASH) first--;
  return (end - first) % 2 === 1;
}

/** The characters of an escape at the end of a text that isn't whole. */
function unfinishedEscape(text: string): number {
  const last = text.lastIndexOf("\\");
  const length = text.length - last;
  if (last === -1 || length >= UNICODE_ESCAPE_CHARS) return 0;
  let first = last;
  while (text[first - 1] === "\\") first--;
  // Each pair stands for one backslash.
  if ((last - first) % 2 === 1) return 0;
  return length >= SHORT_ESCAPE_CHARS && text[last + 1] !== "u" ? 0 : length;
}

function orInvalid(run: () => void): void {
  try {
    run();
  } catch (cause) {
    throw fail("invalid_json", { cause });
  }
}
