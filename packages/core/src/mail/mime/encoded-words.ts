import { decodeCharset } from "./charset.ts";
import { decodeBase64Text } from "./transfer-encoding.ts";

interface EncodedWord {
  charset: string;
  /** The bytes of the word, or its text if it contained raw 8-bit characters. */
  content: Uint8Array | string;
}

/** The start of an encoded word: charset and encoding, with the blanks and quotes that some senders add. */
const OPENING = /=\? {0,2}["']?([\w.:*+-]{1,64})["']? {0,2}\? {0,2}([QqBb]) {0,2}\?/g;

/**
 * Decodes the encoded words of a header value (RFC 2047, RFC 2231 section 5), including broken ones: with
 * question marks or blanks inside, without an end, with padding in the middle. Neighbouring words in one
 * charset are joined before decoding, because many senders split a character between two; an unreadable word
 * stays as written.
 */
export function decodeEncodedWords(value: string): string {
  return renderWords(value, (text) => text);
}

/**
 * The same value with each run of encoded words rewritten as one in UTF-8, so that an address parser that
 * knows fewer charsets and splits at commas reads it correctly.
 */
export function normaliseEncodedWords(value: string): string {
  return renderWords(value, (text) => `=?utf-8?B?${Buffer.from(text, "utf8").toString("base64")}?=`);
}

function renderWords(value: string, write: (text: string) => string): string {
  if (!value.includes("=?")) return value;
  let out = "";
  let at = 0;
  let run: EncodedWord[] = [];
  const flush = () => {
    if (run.length > 0) out += write(decodeRun(run));
    run = [];
  };
  for (const opening of value.matchAll(OPENING)) {
    if (opening.index < at) continue;
    const start = opening.index + opening[0].length;
    const end = endOfWord(value, start);
    if (end === null) continue;
    const between = value.slice(at, opening.index);
    if (run.length === 0 || /[^ \t\r\n]/.test(between)) {
      flush();
      out += between;
    }
    run.push(
      readWord(
        (opening[1] ?? "").toLowerCase(),
        (opening[2] ?? "").toUpperCase(),
        value.slice(start, end.text),
      ),
    );
    at = end.word;
  }
  flush();
  return out + value.slice(at);
}

/** The longest word whose end is searched for, well beyond the 75 characters of RFC 2047. */
const MAX_WORD_CHARS = 2_048;

/**
 * Finds the ends of a word's text and of the word itself: at `?=`, unless that starts an escape within the text and a
 * better end follows. A word without an end extends to the next one, or to the end of the value if everything after it
 * was cut off.
 */
function endOfWord(value: string, start: number): { text: number; word: number } | null {
  const rest = value.slice(start, start + MAX_WORD_CHARS);
  const first = rest.indexOf("?=");
  const close = /^\?=[0-9A-F]{2}/i.test(rest.slice(first, first + 4)) ? laterClose(rest, first) : first;
  const within = close < 0 ? rest : rest.slice(0, close);
  const next = within.search(/[ \t]=\?/);
  if (close >= 0 && next < 0) return { text: start + close, word: start + close + 2 };
  const cut = next < 0 ? within : within.slice(0, next);
  const whole = cut !== "" && !/[ \t,;<>"]/.test(cut);
  if (whole) return { text: start + cut.replace(/\?$/, "").length, word: start + cut.length };
  return first >= 0 && first < cut.length ? { text: start + first, word: start + first + 2 } : null;
}

function laterClose(rest: string, first: number): number {
  const later = rest.search(/\?=(?![0-9A-Fa-f]{2})/);
  return later < 0 ? first : later;
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
    // Stateful charsets start each word in their base state, so only words of the same kind may share bytes.
    if (
      typeof next?.content === "object" &&
      next.charset === word.charset &&
      !word.charset.startsWith("utf-7")
    )
      return;
    text += decodeCharset(bytes.length === 1 ? word.content : Buffer.concat(bytes), word.charset);
    bytes = [];
  });
  return text;
}

function readWord(charset: string, encoding: string, text: string): EncodedWord {
  const is_ascii = !/[^\x00-\x7f]/.test(text);
  if (encoding === "B") {
    // Only the low byte of other characters counts.
    const low = is_ascii ? text : Buffer.from(text, "latin1").toString("latin1");
    return { charset, content: decodeBase64Text(low) };
  }
  if (is_ascii) return { charset, content: decodeQ(text) };
  return {
    charset,
    content: text.replace(/[\x00-\x7f]+/g, (ascii) => decodeCharset(decodeQ(ascii), charset)),
  };
}

function decodeQ(text: string): Uint8Array {
  const source = Buffer.from(text.replace(/_/g, " "), "latin1");
  const bytes = Buffer.alloc(source.length);
  let length = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code =
      source[at] === 0x3d ? Number.parseInt(source.toString("latin1", at + 1, at + 3), 16) : Number.NaN;
    const escaped = !Number.isNaN(code) && /^[0-9a-f]{2}$/i.test(source.toString("latin1", at + 1, at + 3));
    bytes[length] = escaped ? code : (source[at] ?? 0);
    length += 1;
    if (escaped) at += 2;
  }
  return bytes.subarray(0, length);
}
