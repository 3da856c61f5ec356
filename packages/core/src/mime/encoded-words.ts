import { decodeCharset } from "./charset.ts";

interface EncodedWord {
  charset: string;
  encoding: string;
  bytes: Uint8Array;
}

/**
 * A header value with its encoded words (RFC 2047, RFC 2231 section 5) read. Neighbouring words in one charset are joined before
 * they are decoded, since many senders cut a character in two; a word that can't be read stays as it was written.
 */
export function decodeEncodedWords(value: string): string {
  return renderWords(value, (text) => text);
}

/**
 * The same value with each run of encoded words written as one in UTF-8, so that an address parser which knows fewer charsets
 * and splits at commas reads it right.
 */
export function normaliseEncodedWords(value: string): string {
  return renderWords(value, (text) => `=?utf-8?B?${Buffer.from(text, "utf8").toString("base64")}?=`);
}

function renderWords(value: string, write: (text: string) => string): string {
  if (!value.includes("=?")) return value;
  const pattern = /=\?([^?\s]{1,64})\?([QqBb])\?([^?]*)\?=/g;
  let out = "";
  let at = 0;
  let run: EncodedWord[] = [];
  const flush = () => {
    if (run.length > 0) out += write(decodeRun(run));
    run = [];
  };
  for (const match of value.matchAll(pattern)) {
    const between = value.slice(at, match.index);
    if (run.length === 0 || /[^ \t\r\n]/.test(between)) {
      flush();
      out += between;
    }
    const encoding = (match[2] ?? "").toUpperCase();
    run.push({ charset: (match[1] ?? "").toLowerCase(), encoding, bytes: decodeBytes(encoding, match[3] ?? "") });
    at = match.index + match[0].length;
  }
  flush();
  return out + value.slice(at);
}

function decodeRun(run: EncodedWord[]): string {
  let text = "";
  let bytes: Uint8Array[] = [];
  run.forEach((word, index) => {
    bytes.push(word.bytes);
    const next = run[index + 1];
    // Stateful charsets begin each word in their base state, so only words of one and the same kind may share bytes.
    if (next !== undefined && next.charset === word.charset && !word.charset.startsWith("utf-7")) return;
    text += decodeCharset(Buffer.concat(bytes), word.charset);
    bytes = [];
  });
  return text;
}

function decodeBytes(encoding: string, text: string): Uint8Array {
  if (encoding === "B") return Buffer.from(text.replace(/=+$/, ""), "base64");
  const source = Buffer.from(text.replace(/_/g, " "), "utf8");
  const bytes = Buffer.alloc(source.length);
  let length = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source[at] === 0x3d ? Number.parseInt(source.toString("latin1", at + 1, at + 3), 16) : Number.NaN;
    const escaped = !Number.isNaN(code) && /^[0-9a-f]{2}$/i.test(source.toString("latin1", at + 1, at + 3));
    bytes[length] = escaped ? code : (source[at] ?? 0);
    length += 1;
    if (escaped) at += 2;
  }
  return bytes.subarray(0, length);
}
