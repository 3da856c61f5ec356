/** Nesting of elements that is followed; signed mail has fewer than ten levels. */
const MAX_DEPTH = 16;
/** Pieces of one octet string: writers that stream make one of each few kilobytes. */
const MAX_PIECES = 100_000;
const [OCTETS, OBJECT_ID, SEQUENCE, CONTENT] = [0x04, 0x06, 0x30, 0xa0];
const CONSTRUCTED = 0x20;
/** 1.2.840.113549.1.7.2, signed data, and 1.2.840.113549.1.7.1, data (RFC 5652, sections 5.1 and 4). */
const SIGNED_DATA = "2a864886f70d010702";
const DATA = "2a864886f70d010701";

/** An element of BER (X.690): its content lies between `start` and `end`; `next` is where the next one begins. */
interface Element {
  tag: number;
  start: number;
  end: number;
  next: number;
}

/**
 * The content of an S/MIME message that holds what it signs (RFC 8551, section 3.5.2): a MIME entity. Undefined for
 * anything else, such as an encrypted one. The signature is not checked.
 */
export function signedContent(bytes: Uint8Array): Uint8Array | undefined {
  const message = elementAt(bytes, 0, bytes.length);
  if (message?.tag !== SEQUENCE) return undefined;
  const signed = contentOf(bytes, message, SIGNED_DATA);
  if (signed?.tag !== SEQUENCE) return undefined;
  const enclosed = childrenOf(bytes, signed, 3)[2];
  const data = enclosed === undefined ? undefined : contentOf(bytes, enclosed, DATA);
  if (data === undefined || (data.tag & ~CONSTRUCTED) !== OCTETS) return undefined;
  const pieces: Uint8Array[] = [];
  return collect(bytes, data, pieces, 0) ? Buffer.concat(pieces) : undefined;
}

/** The content of a sequence of a type and its content. */
function contentOf(bytes: Uint8Array, sequence: Element, type: string): Element | undefined {
  const [id, content] = childrenOf(bytes, sequence, 2);
  if (id?.tag !== OBJECT_ID || content?.tag !== CONTENT) return undefined;
  if (Buffer.from(bytes.subarray(id.start, id.end)).toString("hex") !== type) return undefined;
  return childrenOf(bytes, content, 1)[0];
}

/** Collects an octet string, which may be one of octet strings; false when it is malformed. */
function collect(bytes: Uint8Array, element: Element, pieces: Uint8Array[], depth: number): boolean {
  if (depth > MAX_DEPTH || pieces.length >= MAX_PIECES) return false;
  if ((element.tag & CONSTRUCTED) === 0) {
    pieces.push(bytes.subarray(element.start, element.end));
    return true;
  }
  return childrenOf(bytes, element, MAX_PIECES).every(
    (child) => (child.tag & ~CONSTRUCTED) === OCTETS && collect(bytes, child, pieces, depth + 1),
  );
}

function childrenOf(bytes: Uint8Array, { start, end }: Element, most: number): Element[] {
  const children: Element[] = [];
  for (let at = start; at < end && children.length < most; ) {
    const child = elementAt(bytes, at, end);
    if (child === undefined) break;
    children.push(child);
    at = child.next;
  }
  return children;
}

function elementAt(bytes: Uint8Array, at: number, limit: number, depth = 0): Element | undefined {
  const [tag, length] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || length === undefined || at + 2 > limit || (tag & 0x1f) === 0x1f) return undefined;
  if (length === 0x80) return endlessAt(bytes, tag, at + 2, limit, depth);
  const digits = length > 0x80 ? length - 0x80 : 0;
  if (digits > 4) return undefined;
  let size = digits === 0 ? length : 0;
  for (let digit = 0; digit < digits; digit++) size = size * 256 + (bytes[at + 2 + digit] ?? 0);
  const start = at + 2 + digits;
  const end = start + size;
  return end > limit ? undefined : { tag, start, end, next: end };
}

/** An element without a length, which two zeros end. */
function endlessAt(
  bytes: Uint8Array,
  tag: number,
  start: number,
  limit: number,
  depth: number,
): Element | undefined {
  if ((tag & CONSTRUCTED) === 0 || depth > MAX_DEPTH) return undefined;
  for (let at = start; at + 1 < limit; ) {
    if (bytes[at] === 0 && bytes[at + 1] === 0) return { tag, start, end: at, next: at + 2 };
    const child = elementAt(bytes, at, limit, depth + 1);
    if (child === undefined) return undefined;
    at = child.next;
  }
  return undefined;
}
