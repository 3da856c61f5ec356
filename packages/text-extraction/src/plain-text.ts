import { decodeCharset } from "@letterslot/core/mail";
import { convert } from "html-to-text";
import { type ClippedText, clipText } from "./clipped-text.ts";
import type { Limits } from "./limits.ts";

/** Characters of HTML read for each character of text allowed. */
const HTML_PER_CHAR = 20;
const MAX_HTML_DEPTH = 200;
const MAX_HTML_CHILDREN = 20_000;

/**
 * Decodes text in the charset that is stated, or as UTF-8, UTF-16 with a byte order mark, or else windows-1252. Fails
 * for binary data.
 */
export function readPlainText(
  bytes: Uint8Array,
  charset: string | undefined,
  { chars }: Limits,
): ClippedText {
  const { text, whole } = decode(bytes, charset, chars);
  const clipped = clipText(text, chars);
  return { ...clipped, truncated: clipped.truncated || !whole };
}

/** The text of HTML as people would read it. */
export function readHtml(bytes: Uint8Array, charset: string | undefined, { chars }: Limits): ClippedText {
  const { text: html, whole } = decode(bytes, charset, chars * HTML_PER_CHAR);
  const limits = {
    maxInputLength: chars * HTML_PER_CHAR,
    maxDepth: MAX_HTML_DEPTH,
    maxChildNodes: MAX_HTML_CHILDREN,
  };
  const text = convert(html, { wordwrap: false, limits, selectors: [{ selector: "img", format: "skip" }] });
  const clipped = clipText(text, chars);
  return { ...clipped, truncated: clipped.truncated || !whole };
}

function decode(
  bytes: Uint8Array,
  charset: string | undefined,
  chars: number,
): { text: string; whole: boolean } {
  // A character takes at most four bytes.
  const head = bytes.subarray(0, chars * 4 + 4);
  const whole = head.length === bytes.length;
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { text: new TextDecoder("utf-16le").decode(head), whole };
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return { text: new TextDecoder("utf-16be").decode(head), whole };
  if (charset !== undefined && !/^utf-?8$|ascii$/i.test(charset))
    return { text: decodeCharset(head, charset), whole };
  if (bytes.includes(0)) throw new Error("binary data");
  try {
    // In stream mode, since the cut may be in the middle of a character.
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: !whole }), whole };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(head), whole };
  }
}
