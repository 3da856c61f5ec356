import { MAX_REPORTED } from "./report.ts";

/** The fields of one block, by lower-case name; a repeated field keeps all its values. */
export type Fields = Map<string, string[]>;

const MAX_REPORT_CHARS = 200_000;
/** One block per recipient, plus one for the mail. */
const MAX_BLOCKS = MAX_REPORTED + 1;

/**
 * The text of an attachment that contains a report or a returned header. Reports are ASCII; anything else
 * doesn't matter.
 */
export function reportText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8")
    .decode(bytes.subarray(0, MAX_REPORT_CHARS))
    .replace(/\r\n?/g, "\n")
    .replaceAll("\0", "");
}

/**
 * Reads blocks of header-like fields separated by blank lines (RFC 3464, section 2.1; RFC 5965, section 3),
 * with folded lines joined.
 */
export function readBlocks(text: string): Fields[] {
  const blocks: Fields[] = [];
  let block: Fields = new Map();
  let last: string[] | undefined;
  for (const line of text.split("\n")) {
    if (line.trim() === "") {
      if (block.size > 0) blocks.push(block);
      if (blocks.length >= MAX_BLOCKS) return blocks;
      block = new Map();
      last = undefined;
      continue;
    }
    if (/^[ \t]/.test(line) && last !== undefined) {
      last[last.length - 1] += ` ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(":");
    if (colon < 1 || colon > 80) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    // Some servers omit the blank line between two recipients.
    if (name === "final-recipient" && block.has(name)) {
      blocks.push(block);
      block = new Map();
    }
    last = block.get(name) ?? [];
    last.push(line.slice(colon + 1).trim());
    block.set(name, last);
  }
  if (block.size > 0) blocks.push(block);
  return blocks;
}

/** The first value of a field, or an empty string. */
export const fieldOf = (fields: Fields | undefined, name: string): string => fields?.get(name)?.[0] ?? "";

const ADDRESS = /[^\s<>()[\],;:"\\@（）：，。；「」【】]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?/i;

/** An address with letters of any script, as a field of the type `utf-8` has (RFC 6533, section 3). */
const UNICODE_ADDRESS = /[^\s<>()[\],;:"\\@]{1,64}@[\p{L}\p{N}][\p{L}\p{N}\p{M}.-]{0,253}/u;

/** The address in a field of a report such as `rfc822;ada@example.com`, in lower case, or null. */
export function reportedAddress(field: string): string | null {
  const [, written] = /^\s*utf-8\s*;(.*)$/is.exec(field.slice(0, 1_000)) ?? [];
  if (written === undefined) return addressIn(field);
  const plain = written.replace(/\\x\{(1?[0-9a-f]{2,5})\}/gi, (_, hex: string) => {
    const point = Number.parseInt(hex, 16);
    return point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ? "" : String.fromCodePoint(point);
  });
  return (
    UNICODE_ADDRESS.exec(plain)?.[0]
      .toLowerCase()
      .replace(/[.-]+$/, "") ?? addressIn(field)
  );
}

/** The first address in a text, in lower case, or null. */
export function addressIn(text: string): string | null {
  return ADDRESS.exec(text.slice(0, 1_000))?.[0].toLowerCase() ?? null;
}
