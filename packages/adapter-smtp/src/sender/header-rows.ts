import { isAscii } from "node:buffer";

/** One header field, as signature checks need it. */
export interface HeaderRow {
  /** The name in lower case; empty if the row is not a field. */
  key: string;
  casedKey: string;
  /**
   * Name, colon and value, including folds, without the final line break. Text if all of the header is ASCII: then the
   * library reads it as it reads bytes.
   */
  line: Buffer | string;
}

const LF = 0x0a;
const CR = 0x0d;

/** Offset of the body: after the first empty line, or the end. */
export function bodyStart(mail: Buffer): number {
  const first = emptyLineEnd(mail, 0);
  if (first >= 0) return first;
  for (let at = mail.indexOf(LF); at >= 0; at = mail.indexOf(LF, at + 1)) {
    const end = emptyLineEnd(mail, at + 1);
    if (end >= 0) return end;
  }
  return mail.length;
}

function emptyLineEnd(mail: Buffer, at: number): number {
  if (mail[at] === LF) return at + 1;
  return mail[at] === CR && mail[at + 1] === LF ? at + 2 : -1;
}

/**
 * Replaces bare line feeds by CRLF, which signatures assume (RFC 6376, section 5.3). Copies only if needed.
 */
export function withCrlf(mail: Buffer): Buffer {
  for (let at = mail.indexOf(LF); at >= 0; at = mail.indexOf(LF, at + 1)) {
    if (mail[at - 1] !== CR) return Buffer.from(mail.toString("latin1").replace(/\r?\n/g, "\r\n"), "latin1");
  }
  return mail;
}

/**
 * Returns the fields of a header block with CRLF line breaks. A line that is not a field belongs to the field above,
 * whatever its first characters: it can break a signature that way, but never hide from it. Linear time.
 */
export function headerRows(head: Buffer): HeaderRow[] {
  const is_ascii = isAscii(head);
  const lines = head.toString("latin1").split("\r\n");
  while (lines.at(-1) === "") lines.pop();
  const rows: HeaderRow[] = [];
  let end = lines.length;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const is_field =
      FIELD_START.test(lines[at] ?? "") ||
      (end > at + 1 && FIELD_START.test(`${lines[at]}\r\n${lines[at + 1]}`));
    if (at > 0 && !is_field) continue;
    rows.push(toRow(end === at + 1 ? (lines[at] ?? "") : lines.slice(at, end).join("\r\n"), is_ascii));
    end = at;
  }
  return rows.reverse();
}

/**
 * RFC 5322, section 3.6.8: printable ASCII without colon. Blanks and a fold may precede the colon (4.5.8).
 */
const FIELD_START = /^([\x21-\x39\x3b-\x7e]+)[ \t\r\n]*:/;

function toRow(text: string, is_ascii: boolean): HeaderRow {
  const casedKey = FIELD_START.exec(text)?.[1] ?? "";
  return { key: casedKey.toLowerCase(), casedKey, line: is_ascii ? text : Buffer.from(text, "latin1") };
}

/** A row's line, each character one byte. */
export const lineText = ({ line }: HeaderRow): string =>
  typeof line === "string" ? line : line.toString("latin1");
