/** The longest string of a TXT record, in bytes (RFC 1035, section 3.3). */
const MAX_STRING_BYTES = 255;

/** A text as the strings of a TXT record: as few as possible, in UTF-8. */
export function stringsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const count = Math.max(1, Math.ceil(bytes.length / MAX_STRING_BYTES));
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * MAX_STRING_BYTES, (index + 1) * MAX_STRING_BYTES),
  );
}

/** A text as zone files write it (RFC 1035, section 5.1): quoted strings, bytes beyond printable ASCII as `\DDD`. */
export function quotedStrings(text: string): string {
  return stringsOf(text)
    .map((string) => `"${[...string].map(quotedByte).join("")}"`)
    .join(" ");
}

function quotedByte(byte: number): string {
  if (byte < 0x20 || byte > 0x7e) return `\\${String(byte).padStart(3, "0")}`;
  const character = String.fromCharCode(byte);
  return character === '"' || character === "\\" ? `\\${character}` : character;
}

const QUOTED_STRING = /"((?:[^"\\]|\\[^])*)"/g;

/** The text of quoted strings; a text that doesn't begin with a quote is itself. */
export function textOfStrings(content: string): string {
  if (!content.startsWith('"')) return content;
  const bytes = [...content.matchAll(QUOTED_STRING)].map(([, string = ""]) => unescaped(string));
  return Buffer.concat(bytes).toString("utf8");
}

function unescaped(string: string): Buffer {
  const parts = string.match(/\\\d{3}|\\[^]|[^\\]+/g) ?? [];
  return Buffer.concat(
    parts.map((part) =>
      /^\\\d{3}$/.test(part)
        ? Buffer.from([Number(part.slice(1)) & 0xff])
        : Buffer.from(part.startsWith("\\") ? part.slice(1) : part),
    ),
  );
}
