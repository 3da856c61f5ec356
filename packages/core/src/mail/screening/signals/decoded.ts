import { longRuns } from "../engine/encoded-runs.ts";
import { type FoundLiterals, holdsAny } from "../engine/literals.ts";
import { firstUnitAt, type Words } from "../engine/words.ts";

/** Encoded runs examined per text, and characters examined of each. */
const MAX_ENCODED_RUNS = 20;
const MAX_ENCODED_CHARS = 8_000;
/** Shorter runs are words, or carry no meaning. */
const LEAST_ENCODED_CHARS = 22;

const LEAST_DECODED_CHARS = 16;

/** Base64 of words mixes lower and upper case; link paths seldom do. */
const isMixedCase = (run: string): boolean => /[a-z]/.test(run) && /[A-Z]/.test(run);

/**
 * Decodes the readable texts in a text that are encoded as Base64 or hexadecimal. Anything that doesn't decode to text
 * is skipped.
 */
export function encodedTexts(text: string, words: Words, literals: FoundLiterals): string[] {
  const texts: string[] = [];
  for (const [start, end] of longRuns(text, LEAST_ENCODED_CHARS, MAX_ENCODED_RUNS)) {
    const piece = `${text.slice(start, end)}${padding(text, end)}`.slice(0, MAX_ENCODED_CHARS);
    const decoded = /^[0-9a-fA-F]+$/.test(piece)
      ? fromHex(piece)
      : isMixedCase(piece)
        ? fromBase64(piece)
        : null;
    if (decoded === null) continue;
    if (readable(decoded)) texts.push(decoded);
    const inner = /^\s*[A-Za-z0-9+/_-]{22,}={0,2}\s*$/.test(decoded) ? fromBase64(decoded.trim()) : null;
    if (inner !== null && readable(inner)) texts.push(inner);
  }
  if (hasManyNumbers(words) || text.includes(BYTE_ORDER_MARK)) texts.push(...numberedTexts(text));
  if (holdsAny(literals, MORSE_SIGNS)) texts.push(...runsOf(text, MORSE).map(fromMorse).filter(readable));
  return texts;
}

/** A word so short that its decoded form isn't a sentence, with the padding at its end. */
const SHORT_CODE = /(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{4}){1,5}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;
const MAX_SHORT_CODE = 25;
const COMMAND_WORD =
  /^[a-z ]*(?:password|passcode|secret|instruct|prompt|ignore|reveal|system|forget|disregard|override|tell me)[a-z ]*$/i;

/** Whether a text contains a single command word as Base64, with the padding that ends nothing else. */
export function holdsCodedWord(text: string): boolean {
  for (let at = text.indexOf("="); at >= 0; at = text.indexOf("=", at + 1)) {
    const end = text[at + 1] === "=" ? at + 2 : at + 1;
    const [run] = SHORT_CODE.exec(text.slice(Math.max(0, end - MAX_SHORT_CODE - 1), end)) ?? [];
    if (run !== undefined && COMMAND_WORD.test(fromBase64(run) ?? "")) return true;
    at = end - 1;
  }
  return false;
}

/** The padding of the last group of Base64. */
const padding = (text: string, end: number): string => /^={0,2}/.exec(text.slice(end, end + 2))?.[0] ?? "";

/** Runs of bytes written as numbers: binary, hexadecimal, decimal; and Morse code. */
const BINARY = /(?<!\S)(?:[01]{8}\s{1,2}){12,}/g;
const SPACED_HEX = /(?<!\S)(?:(?:0x)?[2-7][0-9a-f][\s,]{1,2}){16,}/gi;
const DECIMAL = /(?<!\S)(?:(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])[\s,]{1,2}){16,}/g;
const MORSE = /(?<!\S)(?:[.-]{1,5}[ /|]{1,3}){16,}/g;

/** Shorter runs of numbers are dates and the like. */
const LEAST_NUMBERS = 12;

/** Whether a text has as many numbers in a row as every text that is written in numbers. */
function hasManyNumbers(words: Words): boolean {
  let numbers = 0;
  for (let nth = 0; nth < words.count; nth += 1) {
    const first = firstUnitAt(words, nth);
    numbers = first >= ZERO && first <= NINE ? numbers + 1 : 0;
    if (numbers >= LEAST_NUMBERS) return true;
  }
  return false;
}

const [ZERO, NINE] = [0x30, 0x39];
/** White space to a pattern, but folding removes it and makes the numbers that it separates one word. */
const BYTE_ORDER_MARK = "\uFEFF";
/** A and N occur in nearly every message, and no prose writes them this way. */
const MORSE_SIGNS = new Set([".- ", "-. "]);

function numberedTexts(text: string): string[] {
  const codes = (run: string, base: number): string =>
    String.fromCharCode(...(run.match(/[0-9a-f]+/gi) ?? []).map((number) => Number.parseInt(number, base)));
  return [
    ...runsOf(text, BINARY).map((run) => codes(run, 2)),
    ...runsOf(text, SPACED_HEX).map((run) => codes(run.replaceAll(/0x/gi, ""), 16)),
    ...runsOf(text, DECIMAL).map((run) => codes(run, 10)),
  ].filter(readable);
}

function runsOf(text: string, pattern: RegExp): string[] {
  const runs: string[] = [];
  for (const [run] of `${text} `.matchAll(pattern)) {
    runs.push(run.slice(0, MAX_ENCODED_CHARS));
    if (runs.length >= MAX_ENCODED_RUNS) break;
  }
  return runs;
}

/** International Morse code (ITU-R M.1677-1). */
const MORSE_LETTERS = new Map(
  ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
    .split(" ")
    .map((code, index) => [code, String.fromCharCode(97 + index)]),
);

const fromMorse = (run: string): string =>
  run
    .split(/\s*[/|]\s*|\s{2,}/)
    .map((word) =>
      word
        .split(" ")
        .map((code) => MORSE_LETTERS.get(code) ?? "")
        .join(""),
    )
    .join(" ");

/** Returns a folded text reversed or decoded from ROT13, if common English words then occur in it; else null. */
export function unscrambledText(folded: string, literals: FoundLiterals): string | null {
  if (!holdsAny(literals, SCRAMBLED_SIGNS)) return null;
  const piece = folded.slice(0, MAX_ENCODED_CHARS);
  if ((piece.match(ROTATED_WORDS)?.length ?? 0) >= LEAST_SCRAMBLED) return rotated(piece);
  if ((piece.match(REVERSED_WORDS)?.length ?? 0) >= LEAST_SCRAMBLED)
    return Array.from(piece).reverse().join("");
  return null;
}

const COMMON_WORDS = "the you your this that and all with from password secret instructions previous".split(
  " ",
);
const LEAST_SCRAMBLED = 2;
/** "the" and "you", rotated and reversed: hardly any English text lacks them. */
const SCRAMBLED_SIGNS = new Set(["gur ", "lbh ", "eht ", "uoy "]);

/** The beginnings of all character references, percent and backslash escapes. */
const ESCAPE_SIGNS = new Set(["&#", "%2", "%3", "%4", "%5", "%6", "%7", "\\u", "\\x"]);

/** Decodes the character references, percent and backslash escapes of a text; null when it has none. */
export function unescapedText(text: string, literals: FoundLiterals): string | null {
  if (!holdsAny(literals, ESCAPE_SIGNS)) return null;
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

/** Returns the text spelled by invisible tag characters (U+E0020 to U+E007E), except in regional flags. */
export function taggedText(text: string): string {
  if (!/\uDB40[\uDC20-\uDC7E]/.test(text)) return "";
  const spelled = text
    .replace(/\uD83C\uDFF4(?:\uDB40[\uDC20-\uDC7F]){2,7}/g, "")
    .matchAll(/\uDB40([\uDC20-\uDC7E])/g);
  return Array.from(spelled, ([, low]) => String.fromCharCode((low ?? "").charCodeAt(0) - 0xdc00)).join("");
}

/** Whether a text contains command words written backwards or in ROT13. Such strings occur in no language. */
export function holdsCipherWords(folded: string, literals: FoundLiterals): boolean {
  return holdsAny(literals, CIPHER_SIGNS) && CIPHERED.test(folded);
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

const CIPHERS = COMMANDS.flatMap((words) => [Array.from(words).reverse().join(""), rotated(words)]);
const CIPHERED = new RegExp(CIPHERS.map((words) => words.replace(" ", "\\s")).join("|"));
/** The longest word of each string; every match contains one of them. */
const CIPHER_SIGNS = new Set(
  CIPHERS.map((words) => words.split(" ").reduce((one, other) => (other.length > one.length ? other : one))),
);

const anyOf = (words: readonly string[]): RegExp => new RegExp(`\\b(?:${words.join("|")})\\b`, "g");
const ROTATED_WORDS = anyOf(COMMON_WORDS.map((word) => rotated(word)));
const REVERSED_WORDS = anyOf(COMMON_WORDS.map((word) => Array.from(word).reverse().join("")));

function rotated(words: string): string {
  return words.replace(/[a-z]/g, (letter) =>
    String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97),
  );
}

/** The literals without which a text has nothing worth decoding, except for runs and numbers. */
export const DECODED_LITERALS = [...MORSE_SIGNS, ...SCRAMBLED_SIGNS, ...ESCAPE_SIGNS, ...CIPHER_SIGNS];

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
