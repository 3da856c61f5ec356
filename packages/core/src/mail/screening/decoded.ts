/** Encoded runs examined per text, and characters examined of each. */
export const MAX_ENCODED_RUNS = 20;
export const MAX_ENCODED_CHARS = 8_000;

const LEAST_DECODED_CHARS = 16;

/** A run is matched only from its start: restarting at each letter would be quadratic. */
const ENCODED = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{22,}={0,2}/g;

/** Base64 of words mixes lower and upper case; link paths seldom do. */
const isMixedCase = (run: string): boolean => /[a-z]/.test(run) && /[A-Z]/.test(run);

/**
 * The readable texts encoded in a text as Base64 or hexadecimal. Anything that doesn't decode to text is
 * skipped.
 */
export function encodedTexts(text: string): string[] {
  const texts: string[] = [];
  let seen = 0;
  for (const [run] of text.matchAll(ENCODED)) {
    seen += 1;
    if (seen > MAX_ENCODED_RUNS) break;
    const piece = run.slice(0, MAX_ENCODED_CHARS);
    const decoded = /^[0-9a-fA-F]+$/.test(piece)
      ? fromHex(piece)
      : isMixedCase(piece)
        ? fromBase64(piece)
        : null;
    if (decoded !== null && readable(decoded)) texts.push(decoded);
  }
  return texts;
}

/** A text with character references, percent and backslash escapes decoded; null when it has none. */
export function unescapedText(text: string): string | null {
  if (!/&#x?[0-9a-f]{2,6};|%[2-7][0-9a-f]|\\[ux][0-9a-f]{2}/i.test(text)) return null;
  return text
    .replace(
      /&#(?:x([0-9a-f]{2,6})|(\d{2,7}));/gi,
      (_, hex: string | undefined, decimal: string | undefined) =>
        character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => character(Number.parseInt(hex, 16)))
    .replace(
      /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi,
      (_, long: string | undefined, short: string | undefined) =>
        character(Number.parseInt(long ?? short ?? "20", 16)),
    );
}

/** The text spelled by invisible tag characters (U+E0020 to U+E007E), except in regional flags. */
export function taggedText(text: string): string {
  if (!/\uDB40[\uDC20-\uDC7E]/.test(text)) return "";
  const spelled = text
    .replace(/\uD83C\uDFF4(?:\uDB40[\uDC20-\uDC7F]){2,7}/g, "")
    .matchAll(/\uDB40([\uDC20-\uDC7E])/g);
  return Array.from(spelled, ([, low]) => String.fromCharCode((low ?? "").charCodeAt(0) - 0xdc00)).join("");
}

/** Whether a text contains command words written backwards or in ROT13. Such strings occur in no language. */
export function holdsCipherWords(folded: string): boolean {
  return CIPHERED.test(folded);
}

const COMMANDS = [
  "instructions",
  "previous instruction",
  "disregard",
  "system prompt",
  "ignore previous",
  "ignore all",
  "forward all",
  "override",
];

const CIPHERED = new RegExp(
  COMMANDS.flatMap((words) => [Array.from(words).reverse().join(""), rotated(words)])
    .map((words) => words.replace(" ", "\\s"))
    .join("|"),
);

function rotated(words: string): string {
  return words.replace(/[a-z]/g, (letter) =>
    String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97),
  );
}

function character(code: number): string {
  return code > 8 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    ? String.fromCodePoint(code)
    : " ";
}

function fromBase64(run: string): string | null {
  try {
    const plain = run.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", "");
    const bytes = Uint8Array.from(
      atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0))),
      (byte) => byte.charCodeAt(0),
    );
    return new TextDecoder().decode(bytes);
  } catch {
    return null;
  }
}

function fromHex(run: string): string {
  return run
    .slice(0, run.length - (run.length % 2))
    .replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
}

function readable(text: string): boolean {
  if (text.length < LEAST_DECODED_CHARS) return false;
  const odd = text.match(/[^\p{L}\p{N}\p{P}\p{Zs}\p{S}\n\r\t]|\uFFFD/gu)?.length ?? 0;
  return odd <= text.length / 50 && /\p{L}{2}[\s\p{P}]{1,3}\p{L}{2}/u.test(text);
}
