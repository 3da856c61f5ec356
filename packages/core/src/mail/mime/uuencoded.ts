import type { ParsedAttachment } from "../../model/parsed-mail.ts";

/** Maximum files extracted from one text; further ones stay text. */
export const MAX_UUENCODED_FILES = 50;

/** Extracts files embedded in a text between `begin 644 name` and `end`, as was common before MIME. */
export function extractUuencoded(text: string): { text: string; files: ParsedAttachment[] } {
  if (!/^begin [0-7]{3,4} /m.test(text)) return { text, files: [] };
  const kept: string[] = [];
  const files: ParsedAttachment[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const name =
      files.length < MAX_UUENCODED_FILES
        ? /^begin [0-7]{3,4} (.{1,255})$/.exec(lines[at] ?? "")?.[1]
        : undefined;
    const end = name === undefined ? -1 : endOfFile(lines, at + 1);
    if (name === undefined || end < 0) {
      kept.push(lines[at] ?? "");
      continue;
    }
    files.push(toFile(name, lines.slice(at + 1, end)));
    at = end;
  }
  return { text: kept.join("\n"), files };
}

/** Decodes a body that is one such file, from `begin` to `end`; another body is returned unchanged. */
export function decodeUuencoded(body: Uint8Array): Uint8Array {
  const lines = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1").split(/\r?\n/);
  const begin = lines.findIndex((line) => /^begin [0-7]{3,4} /.test(line));
  const end = lines.indexOf("end", begin + 1);
  return begin < 0
    ? body
    : Buffer.concat(lines.slice(begin + 1, end < 0 ? lines.length : end).map(decodeLine));
}

/** The index of the `end` line, or -1 as soon as a line can't be data: then it was just text. */
function endOfFile(lines: string[], start: number): number {
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line === "end") return at;
    if (!/^[\x20-\x60]{0,90}$/.test(line)) return -1;
  }
  return -1;
}

function toFile(name: string, lines: string[]): ParsedAttachment {
  const filename = name.replace(/[\x00-\x1f\x7f-\x9f]+/g, "");
  return {
    filename: filename === "" ? "attachment" : filename,
    content_type: "application/octet-stream",
    content_id: null,
    disposition: "attachment",
    bytes: Buffer.concat(lines.map(decodeLine)),
  };
}

function decodeLine(line: string): Buffer {
  const value = (at: number) => ((line.charCodeAt(at) || 0x20) - 0x20) & 0x3f;
  const length = line === "" ? 0 : value(0);
  const bytes = Buffer.alloc(Math.ceil(length / 3) * 3);
  for (let at = 1, out = 0; out < length; at += 4, out += 3) {
    const bits = (value(at) << 18) | (value(at + 1) << 12) | (value(at + 2) << 6) | value(at + 3);
    bytes.writeUIntBE(bits, out, 3);
  }
  return bytes.subarray(0, length);
}
