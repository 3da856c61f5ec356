import { LIMITS } from "@letterslot/core";
import { fail } from "@letterslot/core/ports";

/** Scans JSON piece by piece as it arrives. */
export interface JsonScanner {
  /** Fails with `invalid_json` once the JSON is nested too deeply, or has too many keys and items, in all or in one object. */
  scan(piece: Uint8Array): void;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
/** After so many bytes of a string without a quote, the next one is searched for: looking at each byte takes longer. */
const PLAIN_BYTES = 32;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Creates a scanner for one JSON text (RFC 8259) in UTF-8. It doesn't check the grammar, as the parser does: it only
 * bounds the cost of parsing. Each key and each array item costs a comma or a bracket, so these are counted.
 */
export function createJsonScanner(): JsonScanner {
  let depth = 0;
  let members = 0;
  /** The arrays and objects that are open, by their depth, with their commas. */
  const open: { is_object: boolean; members: number }[] = [];
  let inString = false;
  let escaped = false;
  /** Bytes of the string since its last quote or backslash. */
  let plain = 0;
  return {
    scan(piece) {
      for (let at = 0; at < piece.length; at++) {
        if (escaped) {
          escaped = false;
          continue;
        }
        const byte = piece[at];
        if (inString && plain < PLAIN_BYTES) {
          plain = byte === QUOTE || byte === BACKSLASH ? 0 : plain + 1;
          escaped = byte === BACKSLASH;
          inString = byte !== QUOTE;
          continue;
        }
        if (inString) {
          plain = 0;
          const quote = piece.indexOf(QUOTE, at);
          const end = quote === -1 ? piece.length : quote;
          escaped = isEscaped(piece, at, end);
          inString = quote === -1 || escaped;
          if (quote !== -1) escaped = false;
          at = end;
          continue;
        }
        if (byte === QUOTE) inString = true;
        if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) members++;
        const within = open[depth];
        if (byte === COMMA && within?.is_object === true && ++within.members >= LIMITS.json_object_keys)
          throw tooMuch(`made of an object with more than ${LIMITS.json_object_keys} keys`);
        if (byte === OPEN_ARRAY || byte === OPEN_OBJECT)
          open[++depth] = { is_object: byte === OPEN_OBJECT, members: 0 };
        if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
        if (depth > LIMITS.json_depth) throw tooMuch(`nested more than ${LIMITS.json_depth} levels deep`);
        if (members > LIMITS.json_keys) throw tooMuch(`made of more than ${LIMITS.json_keys} keys and items`);
      }
    },
  };
}

/** Whether an odd number of backslashes stands between `start` and `end`, right before it. */
function isEscaped(piece: Uint8Array, start: number, end: number): boolean {
  let first = end;
  while (first > start && piece[first - 1] === BACKSLASH) first--;
  return (end - first) % 2 === 1;
}

const tooMuch = (what: string) =>
  fail("invalid_json", { message: `The JSON is ${what}.`, fix: "Send only the documented fields." });
