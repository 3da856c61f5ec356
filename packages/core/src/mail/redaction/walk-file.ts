import type { ParsedAttachment } from "../../model/parsed-mail.ts";
import { charsetOf } from "../attachments.ts";
import { decodeCharset, sniff } from "../mime/charset.ts";
import { decodeBase64 } from "../mime/transfer-encoding.ts";
import { LINK_REMOVED } from "./marks.ts";
import type { Visit } from "./walk-texts.ts";

/**
 * The kind of a file, whatever its name says: a mail, text of any kind, a picture or sound, or a file of another kind,
 * whose text can't be read here.
 */
export type FileKind = "mail" | "text" | "media" | "other";

/** Bytes of a file that reveal its kind. */
const HEAD_BYTES = 4_096;
const MEDIA: readonly RegExp[] = [
  /^\x89PNG\r\n\x1a\n/,
  /^\xff\xd8\xff/,
  /^GIF8[79]a/,
  /^RIFF[^]{4}(?:WEBP|WAVE|AVI )/,
  /^[^]{4}ftyp(?:avif|heic|heix|mif1|mp4|isom|iso2|M4A |M4V |qt {2}|3gp)/,
  /^(?:ID3|\xff[\xfb\xf3\xf2]|OggS|fLaC)/,
];
/** Characters that no text contains. */
const NO_TEXT = /[\x01-\x08\x0e-\x1a\x1c-\x1f]/;

/** Returns the kind of a file by its bytes. UTF-16 has a mark at its start, or a NUL in every other byte. */
export function kindOf(bytes: Uint8Array): Exclude<FileKind, "mail"> {
  const head = latin1(bytes.subarray(0, HEAD_BYTES));
  if (MEDIA.some((form) => form.test(head))) return "media";
  if (/^(?:\xff\xfe|\xfe\xff)/.test(head)) return "text";
  if (head.startsWith("%PDF") || NO_TEXT.test(head)) return "other";
  return !head.includes("\0") || utf16Of(head) !== undefined ? "text" : "other";
}

function utf16Of(head: string): "utf-16le" | "utf-16be" | undefined {
  if (/^(?:[^\0]\0){2,}[^\0]?$/.test(head)) return "utf-16le";
  return /^(?:\0[^\0]){2,}\0?$/.test(head) ? "utf-16be" : undefined;
}

/**
 * Decodes a text file: as its bytes look and, where that differs, in its stated charset, since its readers may take
 * either.
 */
export function textsOfFile({ bytes, parameters }: Pick<ParsedAttachment, "bytes" | "parameters">): string[] {
  const utf16 = utf16Of(latin1(bytes.subarray(0, HEAD_BYTES)));
  const text = utf16 === undefined ? sniff(bytes) : new TextDecoder(utf16).decode(bytes);
  const charset = charsetOf({ parameters });
  const stated = charset === undefined ? text : decodeCharset(bytes, charset);
  return stated === text ? [text] : [text, stated];
}

/** Returns a text file after its text was visited, in UTF-8 if that changed it. */
export function walkText(file: ParsedAttachment, visit: Visit): Uint8Array {
  for (const text of textsOfFile(file)) {
    const walked = walkDecoded(text, file, visit);
    if (walked !== text) return Buffer.from(walked);
  }
  return file.bytes;
}

function walkDecoded(text: string, { content_type }: ParsedAttachment, visit: Visit): string {
  const is_html =
    /html|^message|^multipart/.test(content_type) ||
    /<(?:html|body|p|div|a|b)\b/i.test(text.slice(0, HEAD_BYTES));
  const place = is_html ? "html" : "text";
  return visit(
    walkBase64(text, (decoded) => visit(decoded, "text")),
    place,
  );
}

/** How the bytes of a file are walked. */
export interface ByteWalk {
  /** It is a mail: its Base64 is decoded, and long blocks of it are not visited as they are. */
  is_mail?: boolean;
  /**
   * The visit only looks for words: it gets windows of long bytes, and all of them at once only if it changes one. As
   * text, they would otherwise be in memory once more.
   */
  finds_words?: boolean | undefined;
}

/**
 * Visits bytes read as one character each, so that UTF-8, UTF-16, quoted-printable and binary data keep their letters.
 */
export function walkBytes(
  bytes: Uint8Array,
  visit: Visit,
  { is_mail = false, finds_words = false }: ByteWalk = {},
): Uint8Array {
  if (finds_words && !is_mail && !changesWindow(bytes, visit)) return bytes;
  const text = latin1(bytes);
  const visitBytes = (each: string) => visit(each, "bytes");
  const walked = is_mail ? visitBetweenBlocks(walkBase64(text, visitBytes), visitBytes) : visitBytes(text);
  return walked === text ? bytes : Buffer.from(walked, "latin1");
}

const WINDOW_BYTES = 524_288;
/** Each window begins so much before the end of the last: more than the longest word with everything that breaks it. */
const OVERLAP_BYTES = 65_536;

function changesWindow(bytes: Uint8Array, visit: Visit): boolean {
  for (let at = 0; at < bytes.length; at += WINDOW_BYTES - OVERLAP_BYTES) {
    const text = latin1(bytes.subarray(at, at + WINDOW_BYTES));
    if (visit(text, "bytes") !== text) return true;
  }
  return false;
}

/**
 * The text that a raw mail shows as it is, each byte a character: headers, and what stands before, after and in its parts,
 * without long blocks of Base64. Those are decoded elsewhere, and some megabytes of them spell any short word.
 */
export function unencodedText(raw: Uint8Array): string {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const line_end = bytes.indexOf("\n", at + WINDOW_BYTES) + 1;
    const end = line_end === 0 ? bytes.length : line_end;
    const text = bytes.toString("latin1", at, end);
    let done = 0;
    for (const block of longBlocksIn(text)) {
      pieces.push(text.slice(done, block.start));
      done = block.end;
    }
    pieces.push(text.slice(done));
    at = end;
  }
  return pieces.join("");
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

/** A line of base64, or a long run of it: nested mails and calendars hold bodies in them. */
const BASE64_START = /[A-Za-z0-9+/]{60,998}={0,2}\r?\n|[A-Za-z0-9+/]{76,998}={0,2}/g;
const BASE64_LINE = /[A-Za-z0-9+/]{60,998}={0,2}\r?\n/y;
const BASE64_REST = /[A-Za-z0-9+/]{0,998}={0,2}/y;
/** A short body or an encoded word. */
const BASE64_SHORT = /(?<=\r?\n\r?\n|\?[bB]\?)[A-Za-z0-9+/]{40,998}={0,2}/g;

function walkBase64(text: string, visit: (decoded: string) => string): string {
  if (!holdsBase64(text)) return text;
  const decodeAndVisit = (block: string): string => {
    const decoded = latin1(decodeBase64(Buffer.from(block, "latin1")));
    return visit(decoded) === decoded ? block : LINK_REMOVED;
  };
  return replaceBlocks(text, decodeAndVisit).replace(BASE64_SHORT, decodeAndVisit);
}

function visitBetweenBlocks(text: string, visit: (between: string) => string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of longBlocksIn(text)) {
    parts.push(visit(text.slice(done, start)), text.slice(start, end));
    done = end;
  }
  return parts.join("") + visit(text.slice(done));
}

function replaceBlocks(text: string, replace: (block: string) => string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of blocksIn(text)) {
    parts.push(text.slice(done, start), replace(text.slice(start, end)));
    done = end;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(done);
}

/** A block of Base64 in a text. */
interface Block {
  start: number;
  end: number;
  lines: number;
}

/** A shorter block may be the path of a link. */
const LONG_BLOCK_LINES = 3;

function* longBlocksIn(text: string): Generator<Block> {
  if (!holdsBase64(text)) return;
  for (const block of blocksIn(text)) if (block.lines >= LONG_BLOCK_LINES) yield block;
}

/** The blocks of Base64 in a text, read line by line, as one pattern for all lines runs out of room in a long block. */
function* blocksIn(text: string): Generator<Block> {
  for (let at = 0; ; ) {
    BASE64_START.lastIndex = at;
    const found = BASE64_START.exec(text);
    if (found === null) return;
    let end = found.index + found[0].length;
    let lines = 1;
    if (found[0].endsWith("\n")) {
      for (BASE64_LINE.lastIndex = end; BASE64_LINE.test(text); lines += 1) end = BASE64_LINE.lastIndex;
      BASE64_REST.lastIndex = end;
      BASE64_REST.test(text);
      end = BASE64_REST.lastIndex;
    }
    yield { start: found.index, end, lines };
    at = end;
  }
}

/** Shorter runs of Base64 characters aren't decoded. */
const MIN_BASE64_CHARS = 40;

/** Whether a text has that many Base64 characters in a row: one of them is at a multiple of that number. */
function holdsBase64(text: string): boolean {
  for (let at = MIN_BASE64_CHARS - 1; at < text.length; at += MIN_BASE64_CHARS) {
    if (!isBase64(text.charCodeAt(at))) continue;
    let start = at;
    while (at - start < MIN_BASE64_CHARS - 1 && isBase64(text.charCodeAt(start - 1))) start -= 1;
    let end = at + 1;
    while (end - start < MIN_BASE64_CHARS && isBase64(text.charCodeAt(end))) end += 1;
    if (end - start === MIN_BASE64_CHARS) return true;
  }
  return false;
}

/** A letter, a digit, "+" or "/". */
const isBase64 = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 43;
