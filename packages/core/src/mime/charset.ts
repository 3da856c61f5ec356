import { decodeUtf7 } from "./utf7.ts";

/** Labels that mail uses and the WHATWG Encoding Standard lacks, without `x-`, `cs` and separators. */
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

/** Charsets whose name says nothing, so that the bytes decide. */
const SNIFFED = new Set(["", "us-ascii", "ascii", "unknown", "unknown-8bit", "x-unknown", "default", "8bit", "binary"]);

type Decoder = InstanceType<typeof TextDecoder>;

/** More made-up labels than this in one process are decoded but not remembered. */
const MAX_DECODERS = 200;
const decoders = new Map<string, Decoder | null>();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });
const looseUtf8 = new TextDecoder("utf-8");
const windows1252 = new TextDecoder("windows-1252");

/**
 * Bytes as text in the charset that the mail names (RFC 2046, section 4.1.2). A missing, unknown or plainly wrong name never
 * loses text: the bytes are read as UTF-8 where they are UTF-8, else as windows-1252. UTF-7 (RFC 2152) is read too.
 */
export function decodeCharset(bytes: Uint8Array, charset: string | undefined): string {
  const label = (charset ?? "").trim().toLowerCase().replace(/\*.*$/, "");
  if (SNIFFED.has(label)) return sniff(bytes);
  if (/^(?:x-)?(?:unicode-1-1-)?utf-?7$/.test(label)) return decodeUtf7(windows1252.decode(bytes));
  if (/^utf-?8$/.test(label)) return decodeDeclaredUtf8(bytes);
  if (label.startsWith("utf-16") && bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const decoder = decoderFor(label);
  return decoder === null ? sniff(bytes) : decoder.decode(bytes);
}

/** Bytes of no known charset: UTF-8 when they are well formed as such, else windows-1252. */
export function sniff(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return windows1252.decode(bytes);
  }
}

function decodeDeclaredUtf8(bytes: Uint8Array): string {
  const text = looseUtf8.decode(bytes);
  if (!text.includes("\ufffd")) return text;
  // One torn character in real UTF-8 must not turn the rest to mojibake; mail that only claims UTF-8 has hardly a good one.
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const good = text.match(/[^\x00-\x7f\ufffd]/g)?.length ?? 0;
  return good >= broken ? text : windows1252.decode(bytes);
}

function decoderFor(label: string): Decoder | null {
  const known = decoders.get(label);
  if (known !== undefined) return known;
  const bare = label.replace(/^(?:x-|cs)/, "").replace(/[\s._-]+/g, "");
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
