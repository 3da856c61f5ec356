import { decodeCharset, sniff } from "./charset.ts";
import type { MimePart } from "./parts.ts";
import { decodeTransfer, encodedLength } from "./transfer-encoding.ts";

/** The decoded bytes of a part. */
export function bytesOf(part: MimePart): Uint8Array {
  return decodeTransfer(part.body.subarray(0, encodedLength(part.body, part.encoding)), part.encoding);
}

/** No character takes more raw bytes than this: four bytes, each written as `=XX`. */
const MAX_BYTES_PER_CHAR = 12;

/**
 * The text of a part with LF line ends, without NUL, with flowed lines joined; at most `max_chars`
 * characters. `bytes`: how many all of the part has, decoded.
 */
export function textOf(
  part: MimePart,
  max_chars: number,
): { text: string; truncated: boolean; bytes: number } {
  const body = part.body.subarray(0, (max_chars + 1) * MAX_BYTES_PER_CHAR);
  const encoded = encodedLength(body, part.encoding);
  const bytes = decodeTransfer(body.subarray(0, encoded), part.encoding);
  const charset =
    part.content_type.parameters.get("charset") ??
    (part.type === "text/html" ? charsetInHtml(bytes) : undefined);
  const footer = encoded < body.length ? `\n${sniff(body.subarray(encoded))}` : "";
  const whole = decodeCharset(bytes, charset) + footer;
  // A line end takes two characters at most; what is cut anyway isn't worth rewriting.
  const decoded = whole
    .slice(0, 2 * max_chars + 2)
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n")
    .replaceAll("\0", "");
  const truncated =
    decoded.length > max_chars || whole.length > 2 * max_chars + 2 || body.length < part.body.length;
  const text = truncated ? decoded.slice(0, max_chars) : decoded;
  const flowed =
    part.type === "text/plain" && part.content_type.parameters.get("format")?.toLowerCase() === "flowed";
  return {
    text: flowed ? unflow(text, part.content_type.parameters.get("delsp")?.toLowerCase() === "yes") : text,
    truncated,
    bytes: body.length < part.body.length ? bytesOf(part).length : bytes.length,
  };
}

/** The bytes of a page that are searched for its charset declaration (HTML, section 13.2.3.2). */
const META_WITHIN_BYTES = 1_024;

function charsetInHtml(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, META_WITHIN_BYTES)).toString("latin1");
  return /<meta[^>]{0,200}?charset\s*=\s*["']?([\w-]{1,40})/i.exec(head)?.[1];
}

/**
 * Decodes `format=flowed` text (RFC 3676): a line that ends in a space is joined with the next one of the
 * same quote depth, space stuffing is removed, and the signature line `-- ` stays separate. With `delsp` that
 * space is removed too.
 */
function unflow(text: string, delsp: boolean): string {
  const out: string[] = [];
  let open: { depth: number; pieces: string[] } | null = null;
  const close = () => {
    if (open !== null) out.push(quote(open.depth, open.pieces.join("")));
    open = null;
  };
  for (const line of text.split("\n")) {
    const marks = /^>*/.exec(line)?.[0].length ?? 0;
    const rest = line.slice(marks);
    const content = rest.startsWith(" ") ? rest.slice(1) : rest;
    const flows = content.endsWith(" ") && content !== "-- ";
    if (open !== null && (open.depth !== marks || content === "-- ")) close();
    const piece = flows && delsp ? content.slice(0, -1) : content;
    if (open === null) open = { depth: marks, pieces: [] };
    open.pieces.push(piece);
    if (!flows) close();
  }
  close();
  return out.join("\n");
}

function quote(depth: number, text: string): string {
  return depth === 0 ? text : `${">".repeat(depth)} ${text}`;
}
