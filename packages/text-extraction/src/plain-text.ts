import { convert } from "html-to-text";
import type { Bounds } from "./bounds.ts";
import { type ClippedText, clipText } from "./clipped-text.ts";

/** Of HTML, so many characters for each one of text are read: more is markup that hides what it says. */
const htmlPerChar = 20;
const htmlDepth = 200;
const htmlChildren = 20_000;

/** Text of any kind in UTF-8, in UTF-16 with its mark, else in windows-1252. Bytes that are no text fail. */
export function readPlainText(bytes: Uint8Array, { chars }: Bounds): ClippedText {
  const { text, whole } = decode(bytes, chars);
  const clipped = clipText(text, chars);
  return { ...clipped, truncated: clipped.truncated || !whole };
}

/** HTML as people would read it. */
export function readHtml(bytes: Uint8Array, { chars }: Bounds): ClippedText {
  const { text: html, whole } = decode(bytes, chars * htmlPerChar);
  const limits = { maxInputLength: chars * htmlPerChar, maxDepth: htmlDepth, maxChildNodes: htmlChildren };
  const text = convert(html, { wordwrap: false, limits, selectors: [{ selector: "img", format: "skip" }] });
  const clipped = clipText(text, chars);
  return { ...clipped, truncated: clipped.truncated || !whole };
}

function decode(bytes: Uint8Array, chars: number): { text: string; whole: boolean } {
  // No character takes more than four bytes.
  const head = bytes.subarray(0, chars * 4 + 4);
  const whole = head.length === bytes.length;
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { text: new TextDecoder("utf-16le").decode(head), whole };
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return { text: new TextDecoder("utf-16be").decode(head), whole };
  if (bytes.includes(0)) throw new Error("these bytes are no text");
  try {
    // As a stream, since the end may be in the middle of a character.
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: !whole }), whole };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(head), whole };
  }
}
