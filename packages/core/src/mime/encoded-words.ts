import { decodeCharset } from "./charset.ts";

interface EncodedWord {
  charset: string;
  /** The bytes that the word stands for, or its text where raw 8-bit characters were written into it. */
  content: Uint8Array | string;
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
    run.push(readWord((match[1] ?? "").toLowerCase(), (match[2] ?? "").toUpperCase(), match[3] ?? ""));
    at = match.index + match[0].length;
  }
  flush();
  return out + value.slice(at);
}

function decodeRun(run: EncodedWord[]): string {
  let text = "";
  let bytes: Uint8Array[] = [];
  run.forEach((word, index) => {
    if (typeof word.content === "string") {
      text += word.content;
      return;
    }
    bytes.push(word.content);
    const next = run[index + 1];
    // Stateful charsets begin each word in their base state, so only words of one and the same kind may share bytes.
    if (typeof next?.content === "object" && next.charset === word.charset && !word.charset.startsWith("utf-7")) return;
    text += decodeCharset(Buffer.concat(bytes), word.charset);
    bytes = [];
  });
  return text;
}

function readWord(charset: string, encoding: string, text: string): EncodedWord {
  if (encoding === "B") return { charset, content: Buffer.from(text.replace(/=+$/, ""), "base64") };
  if (!/[^\x00-\x7f]/.test(text)) return { charset, content: decodeQ(text) };
  return { charset, content: text.replace(/[\x00-\x7f]+/g, (ascii) => decodeCharset(decodeQ(ascii), charset)) };
}

function decodeQ(text: string): Uint8Array {
  const source = Buffer.from(text.replace(/_/g, " "), "latin1");
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
