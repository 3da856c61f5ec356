import { guessCharset } from "./guess-charset.ts";
import { decodeCodePage, decodeShifted, decodeUtf7 } from "./legacy-charsets.ts";

/** Labels used in mail that the WHATWG Encoding Standard lacks, without `x-`, `cs` and separators. */
const ALIASES: Record<string, string> = {
  iso88598i: "iso-8859-8",
  iso88598e: "iso-8859-8",
  shiftjis: "shift_jis",
  eucjp: "euc-jp",
  iso2022jp1: "iso-2022-jp",
  iso2022jp2: "iso-2022-jp",
  euckr: "euc-kr",
  uhc: "euc-kr",
  tis620: "windows-874",
  big5hkscs: "big5",
  cp932: "shift_jis",
  windows932: "shift_jis",
  cp936: "gbk",
  windows936: "gbk",
  ms936: "gbk",
  cp949: "euc-kr",
  windows949: "euc-kr",
  cp950: "big5",
  windows950: "big5",
  cp874: "windows-874",
  cp50220: "iso-2022-jp",
  cp50221: "iso-2022-jp",
  cp65001: "utf-8",
  utf8mb4: "utf-8",
  roman8: "windows-1252",
};

/** Charset names that say nothing: the bytes decide. */
const SNIFFED = new Set([
  "",
  "us-ascii",
  "ascii",
  "unknown",
  "unknown-8bit",
  "x-unknown",
  "default",
  "8bit",
  "7bit",
  "binary",
]);
/** Charsets that programs declare by default: if the bytes are valid non-ASCII UTF-8, the label is wrong. */
const HABITUAL = /^(?:iso-?8859-?1|iso-?8859-?15|latin-?1|(?:windows-|cp-?)1252)$/;

type Decoder = InstanceType<typeof TextDecoder>;

/** The cache holds at most this many labels; further invented ones are decoded without it. */
const MAX_DECODERS = 200;
const decoders = new Map<string, Decoder | null>();
const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true });
const LOOSE_UTF8 = new TextDecoder("utf-8");
const WINDOWS_1252 = new TextDecoder("windows-1252");

/**
 * Decodes bytes in the charset that the mail declares (RFC 2046, section 4.1.2). A missing, unknown or
 * clearly wrong charset never loses text: bytes that are valid UTF-8 are read as such, others in the most
 * likely charset. UTF-7 (RFC 2152) and 7-bit charsets with shift sequences are supported.
 */
export function decodeCharset(bytes: Uint8Array, charset: string | undefined): string {
  // As nearly all mail declares it.
  if (charset === "utf-8" || charset === "UTF-8") return decodeDeclaredUtf8(bytes);
  const label = labelOf(charset);
  if (SNIFFED.has(label)) return sniff(bytes);
  if (/^(?:x-)?(?:unicode-1-1-)?utf-?7$/.test(label)) return decodeUtf7(WINDOWS_1252.decode(bytes));
  if (/^utf-?8$/.test(label)) return decodeDeclaredUtf8(bytes);
  if (label.startsWith("utf-16") && bytes[0] === 0xfe && bytes[1] === 0xff)
    return new TextDecoder("utf-16be").decode(bytes);
  if (HABITUAL.test(label)) return utf8Of(bytes) ?? WINDOWS_1252.decode(bytes);
  const decoder = decoderFor(label);
  if (decoder !== null) return decoder.decode(bytes);
  const bare = bareOf(label);
  return decodeShifted(bytes, bare) ?? decodeCodePage(bytes, bare) ?? sniff(bytes);
}

/** Decodes bytes of unknown charset: as UTF-8 when valid, else in the most likely charset. */
export function sniff(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  const text = utf8Of(bytes);
  if (text === null) return new TextDecoder(guessCharset(bytes)).decode(bytes);
  return text.includes("\x1b$") ? decodeEscaped(bytes, text) : text;
}

/** Bytes decoded as UTF-8, or null when they are not valid. */
export function utf8Of(bytes: Uint8Array): string | null {
  try {
    return STRICT_UTF8.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Decodes bytes that aren't UTF-8 in the charset declared for the neighbouring text, if possible, else in the
 * most likely one.
 */
export function decodeLegacy(bytes: Uint8Array, charset: string | undefined): string {
  const label = labelOf(charset);
  // Only supersets of ASCII: nothing else occurs as raw header bytes.
  if (SNIFFED.has(label) || /^(?:x-)?(?:utf|unicode)/.test(label))
    return new TextDecoder(guessCharset(bytes)).decode(bytes);
  const text = decodeCharset(bytes, label);
  return text.includes("\ufffd") ? new TextDecoder(guessCharset(bytes)).decode(bytes) : text;
}

const labelOf = (charset: string | undefined): string =>
  (charset ?? "")
    .toLowerCase()
    .replace(/\*.*$/, "")
    .replace(/["'\s]/g, "");

const bareOf = (label: string): string => label.replace(/^(?:x-|cs)/, "").replace(/[\s._-]+/g, "");

/** 7-bit text with ISO 2022 escape sequences, which is also valid UTF-8. */
function decodeEscaped(bytes: Uint8Array, text: string): string {
  if (/\x1b\$[@B]/.test(text)) return new TextDecoder("iso-2022-jp").decode(bytes);
  return (text.includes("\x1b$)C") ? decodeShifted(bytes, "iso2022kr") : null) ?? text;
}

function decodeDeclaredUtf8(bytes: Uint8Array): string {
  const text = LOOSE_UTF8.decode(bytes);
  if (!text.includes("\ufffd")) return text;
  // One broken character must not turn the rest of real UTF-8 into mojibake; text falsely declared UTF-8 has
  // hardly any valid character.
  let broken = 0;
  let good = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xff_fd) broken += 1;
    else if (code > 0x7f) good += 1;
  }
  return good >= broken ? text : new TextDecoder(guessCharset(bytes)).decode(bytes);
}

function decoderFor(label: string): Decoder | null {
  const known = decoders.get(label);
  if (known !== undefined) return known;
  const bare = bareOf(label);
  const decoder = construct(label) ?? construct(ALIASES[bare] ?? bare);
  if (decoders.size < MAX_DECODERS) decoders.set(label, decoder);
  return decoder;
}

function construct(label: string): Decoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}
