import { randomUUID } from "node:crypto";
import { LIMITS } from "@letterslot/core";
import type { DecodedBase64 } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import { createFileText, endOfString, type FileText, isEscaped } from "./json-file.ts";

/** Scans JSON piece by piece as it arrives. */
export interface JsonScanner {
  /**
   * Returns what of a piece is to be parsed: all but the long texts of files. Fails with `invalid_json` once the JSON is nested
   * too deeply, has too many keys and items, in all or in one object, or a file's text isn't well-formed.
   */
  scan(piece: Uint8Array): readonly Uint8Array[];
  /** The files so far, by the texts that stand in their places. */
  files: ReadonlyMap<string, DecodedBase64>;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
/** After so many bytes of a string without a quote, the next one is searched for: looking at each byte takes longer. */
const PLAIN_BYTES = 32;
/** The text of a file that is this short, and has come whole, is left to the parser: decoding it here would cost more. */
const SHORT_BYTES = 4 * 1024;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** An array or object that is open: its commas, and the names that lead to it. */
interface Open {
  is_object: boolean;
  members: number;
  path: string;
}

/**
 * Creates a scanner for one JSON text (RFC 8259) in UTF-8. It doesn't check the grammar, as the parser does: it only
 * bounds the cost of parsing. Each key and each array item costs a comma or a bracket, so these are counted. Of `fields`,
 * which `fileFields` names, it takes the long texts and decodes them as they come: parsed, a file would be in memory five
 * times. It takes no more of them than any call may have.
 */
export function createJsonScanner(fields: readonly string[] = []): JsonScanner {
  const taken_fields = new Set(fields);
  const files = new Map<string, DecodedBase64>();
  /** Nobody can have written it into the text. */
  const mark = randomUUID();
  let depth = 0;
  let members = 0;
  const open: Open[] = [];
  let inString = false;
  let escaped = false;
  /** Bytes of the string since its last quote or backslash. */
  let plain = 0;
  /** Whether the next string is a key; the key so far, as it is written, while one is read. */
  let before_key = false;
  let in_key = false;
  let key = "";
  /** The file whose text is read. */
  let file: FileText | undefined;

  const pathHere = () => {
    const { is_object, path } = open[depth] ?? { is_object: false, path: "" };
    return is_object && path !== "" ? `${path}.${key}` : is_object ? key : path;
  };

  const isFile = (piece: Uint8Array, start: number) => {
    if (before_key || files.size >= LIMITS.attachments || !taken_fields.has(pathHere())) return false;
    const begin = piece.subarray(start, start + SHORT_BYTES);
    return endOfString(begin, 0) === begin.length;
  };

  return {
    files,
    scan(piece) {
      const kept: Uint8Array[] = [];
      let kept_from = 0;
      for (let at = 0; at < piece.length; at++) {
        if (file !== undefined) {
          const end = file.take(piece, at);
          kept_from = end;
          at = end;
          if (end === piece.length) break;
          files.set(nameOf(mark, files.size), file.end());
          file = undefined;
          continue;
        }
        if (escaped) {
          escaped = false;
          continue;
        }
        const byte = piece[at];
        if (inString && plain < PLAIN_BYTES) {
          plain = byte === QUOTE || byte === BACKSLASH ? 0 : plain + 1;
          escaped = byte === BACKSLASH;
          inString = byte !== QUOTE;
          if (in_key && inString) key += String.fromCharCode(byte ?? 0);
          else in_key = false;
          continue;
        }
        if (inString) {
          plain = 0;
          // No field has so long a name.
          if (in_key) key += "…";
          const quote = piece.indexOf(QUOTE, at);
          const end = quote === -1 ? piece.length : quote;
          escaped = isEscaped(piece, at, end);
          inString = quote === -1 || escaped;
          in_key &&= inString;
          if (quote !== -1) escaped = false;
          at = end;
          continue;
        }
        if (byte === QUOTE && taken_fields.size > 0 && isFile(piece, at + 1)) {
          file = createFileText();
          kept.push(piece.subarray(kept_from, at + 1), Buffer.from(nameOf(mark, files.size)));
          kept_from = piece.length;
          continue;
        }
        if (byte === QUOTE) {
          inString = true;
          in_key = before_key;
          if (in_key) key = "";
        }
        if (byte === COLON) before_key = false;
        if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) members++;
        const within = open[depth];
        if (byte === COMMA && within?.is_object === true) {
          before_key = true;
          if (++within.members >= LIMITS.json_object_keys)
            throw tooMuch(`made of an object with more than ${LIMITS.json_object_keys} keys`);
        }
        if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
          const path = taken_fields.size === 0 ? "" : pathHere();
          before_key = byte === OPEN_OBJECT;
          open[++depth] = { is_object: byte === OPEN_OBJECT, members: 0, path };
        }
        if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
          before_key = false;
          depth--;
        }
        if (depth > LIMITS.json_depth) throw tooMuch(`nested more than ${LIMITS.json_depth} levels deep`);
        if (members > LIMITS.json_keys) throw tooMuch(`made of more than ${LIMITS.json_keys} keys and items`);
      }
      if (kept_from < piece.length) kept.push(piece.subarray(kept_from));
      return kept;
    },
  };
}

const nameOf = (mark: string, number: number): string => `${mark}:${number}`;

const tooMuch = (what: string) =>
  fail("invalid_json", { message: `The JSON is ${what}.`, fix: "Send only the documented fields." });
