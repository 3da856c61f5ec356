import { decodeLegacy, sniff, utf8Of } from "./charset.ts";

/** One header field: the name in lower case, the value unfolded but not decoded. */
export interface HeaderField {
  name: string;
  value: string;
  /**
   * The value was 8-bit bytes that aren't UTF-8: each character of `value` is one byte. `shownValue` decodes
   * them.
   */
  legacy?: true;
}

/** The header block of a mail or part, and where the body starts. */
export interface HeaderBlock {
  fields: HeaderField[];
  /** The number of different From fields in the whole block, including any that were cut. */
  from_count: number;
  body_start: number;
  truncated: boolean;
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const DASH = 0x2d;

/**
 * Reads the header fields from `start` (RFC 5322 section 2.2): folded lines are joined; raw 8-bit bytes are read as
 * UTF-8 (RFC 6532), or kept as bytes if they aren't. Fields beyond `max_bytes` are counted but not kept. A block that
 * doesn't start with a field is empty: it is already the body. The blank line of a part may be missing: its block also
 * ends at a delimiter, and at a line of text that no field of MIME follows; a mail's block does not, so that nobody can
 * hide a second From behind one. Blank lines
 * before a mail's first field are skipped. If no blank line ends the block, a line of blanks does, but the lines after
 * it still count as fields, as they do for readers that see a fold in it. With `values_of`, only that field keeps its
 * values; those of other fields are empty.
 */
export function readHeaderFields(
  raw: Uint8Array,
  start: number,
  end: number,
  max_bytes: number,
  of: "mail" | "part" = "mail",
  values_of?: string,
): HeaderBlock {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const block: HeaderBlock = { fields: [], from_count: 0, body_start: end, truncated: false };
  let at = of === "mail" ? firstField(raw, start, end) : start;
  let first_line = true;
  let blanks_end: number | undefined;
  let text: { start: number; fields: number } | undefined;
  const authors = new Set<string>();
  while (at < end) {
    const line_end = endOfLine(raw, at, end);
    if (isBlank(raw, at, line_end)) {
      block.body_start = line_end;
      break;
    }
    let field_end = line_end;
    while (field_end < end && isFolded(raw, field_end)) {
      const folded_end = endOfLine(raw, field_end, end);
      if (blanks_end === undefined && isOfBlanks(raw, field_end, folded_end)) blanks_end = folded_end;
      field_end = folded_end;
    }
    const colon = colonOf(raw, at, line_end);
    const torn = of === "part" && colon < 0 && raw[at] === DASH && raw[at + 1] === DASH;
    if (torn || (colon < 0 && first_line && !isMboxLine(raw, at))) {
      block.body_start = at;
      break;
    }
    if (colon >= 0) {
      const fits = field_end - start <= max_bytes;
      keep(block, authors, bytes, { at, colon, field_end, fits }, values_of);
      if (MIME_FIELD.test(bytes.toString("latin1", at, Math.min(colon, at + MAX_NAME_BYTES))))
        text = undefined;
    } else if (of === "part" && !isLostFold(bytes, at, line_end))
      text ??= { start: at, fields: block.fields.length };
    first_line = false;
    at = field_end;
  }
  if (at >= end) block.body_start = blanks_end ?? end;
  if (text === undefined) return block;
  return { ...block, fields: block.fields.slice(0, text.fields), body_start: text.start };
}

const MIME_FIELD = /^content-[a-z-]{1,40}$/i;
/** A parameter that lost the blank before it, as in a fold that a program rewrote. */
const LOST_FOLD = /^(?:charset|boundary|name|filename|format|delsp|size)[\d*]{0,4}[ \t]{0,10}=/i;

function isLostFold(bytes: Buffer, at: number, line_end: number): boolean {
  return LOST_FOLD.test(bytes.toString("latin1", at, Math.min(line_end, at + MAX_NAME_BYTES)));
}

/** Names that mails begin with; a text may also begin with other words and a colon. */
const FIRST_NAMES =
  /^(?:from|to|cc|subject|date|sender|reply-to|return-path|received|delivered-to|message-id|mime-version|content-[a-z-]{1,40}|dkim-signature|arc-[a-z-]{1,40}|authentication-results|x-[\w-]{1,60})[ \t]*:/i;
/** Blank lines that are skipped before the first field. */
const MAX_BLANK_LINES = 100;

/** Returns the start of a mail's fields: after blank lines, if a field that mails begin with follows them. */
function firstField(raw: Uint8Array, start: number, end: number): number {
  let at = start;
  for (let lines = 0; lines < MAX_BLANK_LINES && at < end; lines += 1) {
    const line_end = endOfLine(raw, at, end);
    if (!isOfBlanks(raw, at, line_end)) break;
    at = line_end;
  }
  if (at === start) return start;
  return FIRST_NAMES.test(Buffer.from(raw.subarray(at, at + MAX_NAME_BYTES)).toString("latin1")) ? at : start;
}

function keep(
  block: HeaderBlock,
  authors: Set<string>,
  bytes: Buffer,
  { at, colon, field_end, fits }: { at: number; colon: number; field_end: number; fits: boolean },
  values_of: string | undefined,
): void {
  const name = nameIn(bytes, at, colon);
  const field = fits ? fieldIn(name, bytes, colon + 1, field_end, values_of) : undefined;
  if (name === "from") {
    // A repetition of the same words adds nothing; a cut value is unknown.
    const words = field === undefined ? undefined : `${field.legacy ?? false} ${field.value}`;
    if (words !== undefined && authors.has(words)) return;
    if (words !== undefined) authors.add(words);
    block.from_count += 1;
  }
  if (field === undefined) block.truncated = true;
  else block.fields.push(field);
}

/**
 * Returns the name in lower case. It is read as Latin-1, so that no character before or in a name can disappear and
 * turn it into the name of a header that counts.
 */
function nameIn(bytes: Buffer, at: number, colon: number): string {
  let end = Math.min(colon, at + MAX_NAME_BYTES);
  while (end > at && (bytes[end - 1] === SPACE || bytes[end - 1] === TAB)) end -= 1;
  return bytes.toString("latin1", at, end).toLowerCase();
}

function fieldIn(
  name: string,
  bytes: Buffer,
  start: number,
  end: number,
  values_of: string | undefined,
): HeaderField {
  if (values_of !== undefined && values_of !== name) return { name, value: "" };
  const latin1 = bytes.toString("latin1", start, end);
  if (!NOT_ASCII.test(latin1)) return { name, value: unfold(latin1) };
  const text = utf8Of(bytes.subarray(start, end));
  return text === null ? { name, value: unfold(latin1), legacy: true } : { name, value: unfold(text) };
}

const NOT_ASCII = /[^\x00-\x7f]/;
const MAX_NAME_BYTES = 256;

/**
 * Returns a field's value for display: raw 8-bit bytes are decoded in `charset`, which the mail declares for its text,
 * or in the most likely charset. Never used to read addresses: they must not depend on a charset that others may guess
 * differently.
 */
export function shownValue(field: HeaderField, charset: string | undefined): string {
  if (field.legacy) return shownText(field.value, charset);
  return field.value.includes("\x1b$") ? sniff(Buffer.from(field.value)) : field.value;
}

/** Decodes text whose characters are raw bytes, for display. */
export function shownText(bytes: string, charset: string | undefined): string {
  return decodeLegacy(Buffer.from(bytes, "latin1"), charset).replace(/[\r\n\0]/g, " ");
}

function unfold(value: string): string {
  const trimmed = value.trim();
  if (!/[\r\n\0]/.test(trimmed)) return trimmed;
  return trimmed
    .replace(/\r?\n/g, "")
    .replace(/[\r\0]/g, " ")
    .trim();
}

function endOfLine(raw: Uint8Array, at: number, end: number): number {
  const lf = raw.indexOf(LF, at);
  return lf < 0 || lf >= end ? end : lf + 1;
}

function isBlank(raw: Uint8Array, at: number, line_end: number): boolean {
  return raw[at] === LF || (raw[at] === CR && (raw[at + 1] === LF || at + 1 === line_end));
}

function isOfBlanks(raw: Uint8Array, at: number, line_end: number): boolean {
  for (let position = at; position < line_end; position += 1)
    if (![SPACE, TAB, CR, LF].includes(raw[position] ?? 0)) return false;
  return true;
}

function isFolded(raw: Uint8Array, at: number): boolean {
  return raw[at] === SPACE || raw[at] === TAB;
}

/**
 * Returns the position of the colon that ends a field name, or -1. A name has no spaces except at its end (RFC 5322
 * sections 2.2 and 4.5).
 */
function colonOf(raw: Uint8Array, at: number, line_end: number): number {
  let blank = false;
  for (let position = at; position < line_end; position += 1) {
    const byte = raw[position] ?? 0;
    if (byte === 0x3a) return position === at ? -1 : position;
    if (byte === SPACE || byte === TAB) blank = true;
    else if (blank || byte < 0x21) return -1;
  }
  return -1;
}

function isMboxLine(raw: Uint8Array, at: number): boolean {
  const text = String.fromCharCode(...raw.subarray(at, at + 6));
  return text.startsWith("From ") || text === ">From ";
}
