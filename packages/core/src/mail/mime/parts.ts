import { type HeaderField, readHeaderFields, shownValue } from "./header-fields.ts";
import { parseStructuredHeader, type StructuredHeader } from "./header-parameters.ts";
import { signedContent } from "./signed-content.ts";
import { decodeTransfer } from "./transfer-encoding.ts";

/** Header bytes read per part; the mail's own header has a separate limit. */
export const MAX_PART_HEADER_BYTES = 16_384;
/** Parts per mail; 50,000 empty ones stop other parsers for half a second. */
export const MAX_PARTS = 1_000;
/** Nesting depth of multiparts. Deeper ones become attachments as a whole. */
export const MAX_DEPTH = 20;
const MAX_BOUNDARY_BYTES = 256;

/**
 * One leaf of the MIME tree. `alternative` numbers the innermost multipart/alternative around it; 0 means
 * none.
 */
export interface MimePart {
  type: string;
  /** A type is stated, well formed or not. */
  is_typed: boolean;
  content_type: StructuredHeader;
  disposition: StructuredHeader;
  content_id: string | null;
  encoding: string;
  body: Uint8Array;
  alternative: number;
  related: boolean;
  root: boolean;
  /** The first part of its multipart, which is a body even if it has a name (RFC 8621, section 4.1.4). */
  first: boolean;
}

/** The leaves of a mail in order, and which limits were reached. */
export interface MimeParts {
  parts: MimePart[];
  truncated: Set<"parts" | "depth" | "headers">;
  /** Some of them stood in an S/MIME message that holds what it signs; its signature isn't checked. */
  unverified_signature: boolean;
}

interface Surroundings {
  depth: number;
  alternative: number;
  related: boolean;
  first: boolean;
  default_type: string;
}

interface Walk extends MimeParts {
  alternatives: number;
  seen: number;
}

/**
 * Splits the body of a mail with these fields, which begins at `body_start`, into its leaves (RFC 2046 section 5.1),
 * reading each byte at most once per nesting level.
 */
export function readParts(fields: HeaderField[], mail: Uint8Array, body_start: number): MimeParts {
  const walk: Walk = {
    parts: [],
    truncated: new Set(),
    unverified_signature: false,
    alternatives: 0,
    seen: 0,
  };
  walkPart(walk, fields, mail, body_start, {
    depth: 0,
    alternative: 0,
    related: false,
    first: true,
    default_type: "text/plain",
  });
  return walk;
}

function walkPart(
  walk: Walk,
  fields: HeaderField[],
  whole: Uint8Array,
  body_start: number,
  around: Surroundings,
): void {
  walk.seen += 1;
  if (walk.seen > MAX_PARTS) {
    walk.truncated.add("parts");
    return;
  }
  const content_type = parseStructuredHeader(fieldOf(fields, "content-type") ?? around.default_type);
  const body = whole.subarray(firstDelimiter(whole, body_start, content_type) ?? body_start);
  if (!content_type.value.startsWith("multipart/")) {
    const part = leaf(fields, body, content_type, around);
    if (SIGNED.test(part.type) && around.depth < MAX_DEPTH) walkSigned(walk, part, around);
    walk.parts.push(part);
    return;
  }
  if (around.depth >= MAX_DEPTH) {
    walk.truncated.add("depth");
    walk.parts.push(leaf(fields, body, content_type, around));
    return;
  }
  const children = split(body, boundaryOf(content_type, body), MAX_PARTS - walk.seen + 1);
  if (children.length === 0) {
    // The boundary never occurs: read the content as text.
    walk.parts.push(leaf(fields, body, { value: "text/plain", parameters: content_type.parameters }, around));
    return;
  }
  const inside = surroundingsIn(walk, content_type.value, around);
  for (const [index, child] of children.entries()) {
    const block = readHeaderFields(child, 0, child.length, MAX_PART_HEADER_BYTES, "part");
    if (block.truncated) walk.truncated.add("headers");
    walkPart(walk, block.fields, child, block.body_start, { ...inside, first: index === 0 });
  }
}

/** The types of S/MIME messages (RFC 8551, section 3.2). */
const SIGNED = /^application\/(?:x-)?pkcs7-mime$/;

/** Reads what an S/MIME message holds and signs; the message itself stays a part, and so an attachment. */
function walkSigned(walk: Walk, { body, encoding }: MimePart, around: Surroundings): void {
  const content = signedContent(decodeTransfer(body, encoding));
  if (content === undefined) return;
  walk.unverified_signature = true;
  const block = readHeaderFields(content, 0, content.length, MAX_PART_HEADER_BYTES, "part");
  walkPart(walk, block.fields, content, block.body_start, { ...around, depth: around.depth + 1 });
}

/** The start of a multipart's first delimiter, if it stands among the header fields because no blank line ends them. */
function firstDelimiter(
  whole: Uint8Array,
  body_start: number,
  { value, parameters }: StructuredHeader,
): number | undefined {
  const boundary = parameters.get("boundary") ?? "";
  if (!value.startsWith("multipart/") || boundary === "") return undefined;
  const head = buffer(whole.subarray(0, body_start));
  const delimiter = Buffer.from(`\n--${boundary}`, "utf8");
  for (let at = head.indexOf(delimiter); at >= 0; at = head.indexOf(delimiter, at + delimiter.length)) {
    const line = delimiterLine(head, at + delimiter.length);
    if (line !== null) return line.closes ? undefined : at + 1;
  }
  return undefined;
}

function surroundingsIn(walk: Walk, type: string, around: Surroundings): Surroundings {
  if (type === "multipart/alternative") walk.alternatives += 1;
  return {
    depth: around.depth + 1,
    alternative: type === "multipart/alternative" ? walk.alternatives : around.alternative,
    related: around.related || type === "multipart/related",
    first: false,
    default_type: type === "multipart/digest" ? "message/rfc822" : "text/plain",
  };
}

function leaf(
  fields: HeaderField[],
  body: Uint8Array,
  content_type: StructuredHeader,
  around: Surroundings,
): MimePart {
  const disposition = parseStructuredHeader(fieldOf(fields, "content-disposition") ?? "");
  return {
    type: typeOf(content_type, disposition),
    is_typed: fieldOf(fields, "content-type") !== undefined && content_type.value !== "",
    content_type,
    disposition,
    content_id: fieldOf(fields, "content-id") ?? null,
    encoding: fieldOf(fields, "content-transfer-encoding") ?? "",
    body,
    alternative: around.alternative,
    related: around.related,
    root: around.depth === 0,
    first: around.first,
  };
}

const TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;

/** A part with a malformed type is text (RFC 2045, section 5.2), unless it has a name. */
function typeOf({ value, parameters }: StructuredHeader, disposition: StructuredHeader): string {
  if (TYPE.test(value)) return value;
  return parameters.has("name") || disposition.parameters.has("filename")
    ? "application/octet-stream"
    : "text/plain";
}

function fieldOf(fields: HeaderField[], name: string): string | undefined {
  const found = fields.find((field) => field.name === name);
  return found && shownValue(found, undefined);
}

function boundaryOf(content_type: StructuredHeader, body: Uint8Array): Buffer | null {
  const declared = Buffer.from(content_type.parameters.get("boundary") ?? "", "utf8");
  if (
    declared.length > 0 &&
    declared.length <= MAX_BOUNDARY_BYTES &&
    buffer(body).includes(`--${declared.toString("utf8")}`)
  )
    return declared;
  // No boundary was declared, or it never occurs: use the first line that looks like a delimiter.
  const head = buffer(body).toString("latin1", 0, 4_096);
  const guess = /(?:^|\n)--([^\s][^\r\n]{0,200}?)[ \t]*\r?\n[A-Za-z-]+:/.exec(head)?.[1];
  return guess === undefined ? null : Buffer.from(guess, "latin1");
}

function split(body: Uint8Array, boundary: Buffer | null, max_children: number): Uint8Array[] {
  if (boundary === null) return [];
  const bytes = buffer(body);
  const delimiter = Buffer.concat([Buffer.from("--"), boundary]);
  const children: Uint8Array[] = [];
  let start = -1;
  let within: string | undefined;
  for (
    let at = bytes.indexOf(delimiter);
    at >= 0 && children.length < max_children;
    at = bytes.indexOf(delimiter, at + delimiter.length)
  ) {
    if (at > 0 && bytes[at - 1] !== 0x0a) continue;
    const line = delimiterLine(bytes, at + delimiter.length);
    if (line === null) continue;
    if (line.closes && start >= 0) {
      within ??= boundaryWithin(body.subarray(start, at));
      if (within === `${boundary.toString("utf8")}--`) continue;
    }
    if (start >= 0) children.push(body.subarray(start, Math.max(start, lineBreakBefore(bytes, at))));
    start = line.closes ? -1 : line.end;
    within = undefined;
    if (line.closes) return children;
  }
  if (start >= 0 && children.length < max_children) children.push(body.subarray(start));
  return children;
}

/**
 * The boundary that a part declares for its own parts, or an empty string: if it is the one around it with two more
 * dashes, its delimiters look like the end of what is around.
 */
function boundaryWithin(part: Uint8Array): string {
  const { fields } = readHeaderFields(part, 0, part.length, MAX_PART_HEADER_BYTES, "part");
  return parseStructuredHeader(fieldOf(fields, "content-type") ?? "").parameters.get("boundary") ?? "";
}

/** The rest of a delimiter line: only blanks, or `--`. Anything else makes the line text. */
function delimiterLine(bytes: Buffer, after: number): { closes: boolean; end: number } | null {
  const closes = bytes[after] === 0x2d && bytes[after + 1] === 0x2d;
  let at = closes ? after + 2 : after;
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d) at += 1;
  if (at < bytes.length && bytes[at] !== 0x0a) return null;
  return { closes, end: Math.min(at + 1, bytes.length) };
}

function lineBreakBefore(bytes: Buffer, at: number): number {
  if (bytes[at - 1] !== 0x0a) return at;
  return bytes[at - 2] === 0x0d ? at - 2 : at - 1;
}

function buffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
