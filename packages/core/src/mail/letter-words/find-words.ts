import { isChecked, REPLY_ID_CHARS, WORD_CHARS, WORD_PREFIX } from "../../catalogue/letter-words.ts";

/** A secret of a letter found in a text: where it is, and the secret as it was issued. */
export interface FoundWord {
  start: number;
  end: number;
  /** The `lso` word, or the id of a reply address. */
  secret: string;
}

/** No writing of a secret is shorter than the shortest of them, the reply address's `r+` and its id. */
export const MIN_WORD_CHARS = "r+".length + REPLY_ID_CHARS;
/** What breaks within one word may cost together: ordinary words have a blank every few letters, secrets don't. */
const MAX_BREAK_COST = 8;
const BLANK_COST = 4;
const TAG_COST = 4;

/** What mail programs put into a long word: line breaks with quote marks, soft breaks, invisible characters, tags. */
const BREAK_SOURCE =
  "(?:[\\s\\0>|\\u00ad\\u200b-\\u200f\\u2060\\ufeff]|=[ \\t]{0,20}\\r?\\n|<[^<>]{0,300}>" +
  "|&(?:amp;){0,9}(?:shy|nbsp|gt|#0{0,9}(?:10|13|32|62|173|160|820[3-7]));?|%(?:25){0,9}(?:0[ad]|20|3e))";
const BREAK = new RegExp(`${BREAK_SOURCE}+`, "iy");

/** A character written as an entity, percent-encoded (also several times over), or quoted-printable. */
const ENCODED =
  /&(?:amp;){0,9}#(?:x0{0,9}([0-9a-f]{2})|0{0,9}(\d{2,3}));?|%(?:25){0,9}([2-7][0-9a-f])|=([2-7][0-9a-f])/iy;

const encoded = (letter: string): string => {
  const codes = [letter.toLowerCase(), letter.toUpperCase()].map((each) => each.charCodeAt(0));
  const hex = `(?:${codes.map((code) => code.toString(16)).join("|")})`;
  return `&(?:amp;){0,9}#(?:x0{0,9}${hex}|0{0,9}(?:${codes.join("|")}));?|%(?:25){0,9}${hex}|=${hex}`;
};
const letter = (each: string): string => `(?:${each === "+" ? "\\+" : each}|${encoded(each)})`;
const SOME_BREAKS = `${BREAK_SOURCE}{0,40}`;

/**
 * The first letters of a secret, or the start of a reply address, in any writing. Proofpoint's older links write a
 * hyphen for the percent sign. Linear, because each part is bounded.
 */
const START = new RegExp(
  `(${letter("l")}${SOME_BREAKS}${letter("s")}${SOME_BREAKS}${letter("o")})|${letter("r")}(?:${letter("+")}|-2b)`,
  "iy",
);

/**
 * Finds the secrets of letters in a text, however mail programs and link rewriters have broken or encoded them:
 * quote marks and soft breaks within a word, entities, percent-encoding (Safe Links, Barracuda), `-3D` and `__`
 * around it (Proofpoint). Each pass is linear.
 */
export function findWords(text: string): FoundWord[] {
  const found: FoundWord[] = [];
  if (text.length < MIN_WORD_CHARS) return found;
  for (let at = nextCandidate(text, 0); at >= 0; at = nextCandidate(text, at)) {
    const word = readWord(text, at);
    if (word !== undefined) found.push(word);
    at = word?.end ?? at + 1;
  }
  return found;
}

function readWord(text: string, start: number): FoundWord | undefined {
  if (text.startsWith(WORD_PREFIX, start))
    return readChecked(text, start, start + 3, WORD_PREFIX, WORD_CHARS);
  START.lastIndex = start;
  const match = START.exec(text);
  if (match === null) return undefined;
  const [prefix, length] = match[1] === undefined ? ["", REPLY_ID_CHARS] : [WORD_PREFIX, WORD_CHARS];
  return readChecked(text, start, START.lastIndex, prefix, length);
}

/**
 * Where a word may start, in any writing of its first sign. Every character of every mail passes through here, so
 * it rules out ordinary words early, and has one alternative for each sign.
 */
const CANDIDATE = new RegExp(
  [
    "l(?:s(?:o|[^a-zA-Z .,])|S|[\\s>|\\0]{1,40}[sS&%=<]|(?=ENCODED))",
    "L(?:[sS]|(?=ENCODED))",
    "[rR](?=ENCODED|[+-])",
    "&(?=#|amp;#|amp;amp;)",
    "%(?=25|[46][cC]|[57]2)",
    "=(?=[46][cC]|[57]2)",
  ]
    .join("|")
    .replaceAll("ENCODED", "[=<&%\\u00ad\\u200b-\\u200f\\u2060\\ufeff]"),
  "g",
);

function nextCandidate(text: string, from: number): number {
  CANDIDATE.lastIndex = from;
  return CANDIDATE.exec(text)?.index ?? -1;
}

function readChecked(
  text: string,
  start: number,
  from: number,
  prefix: string,
  length: number,
): FoundWord | undefined {
  let at = from;
  let cost = 0;
  let characters = "";
  while (characters.length < length) {
    const code = text.charCodeAt(at);
    if (isPlain(code)) {
      characters += text.charAt(at);
      at += 1;
      continue;
    }
    // A single blank, which is nearly always the end of an ordinary word.
    if (code === 32 && isPlain(text.charCodeAt(at + 1))) {
      cost += BLANK_COST;
      if (cost > MAX_BREAK_COST) return undefined;
      at += 1;
      continue;
    }
    const decoded = decodedAt(text, at);
    if (decoded !== undefined) {
      characters += decoded.character;
      at = decoded.end;
      continue;
    }
    BREAK.lastIndex = at;
    const gap = BREAK.exec(text)?.[0];
    if (gap !== undefined) cost += costOf(gap);
    if (gap === undefined || cost > MAX_BREAK_COST) return undefined;
    at += gap.length;
  }
  const lower = characters.toLowerCase();
  return isChecked(lower) ? { start, end: at, secret: prefix + lower } : undefined;
}

function costOf(gap: string): number {
  // UTF-16 read as bytes has a NUL between its letters.
  if (gap === "\0" || gap === "\0\0\0") return 0;
  if (gap.length === 1 || /^<\/?wbr/i.test(gap)) return 1;
  return gap.includes("<") ? TAG_COST : 2;
}

/** Whether a code unit is a letter, or a digit of base 32. */
const isPlain = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 50 && code <= 55) || (code >= 65 && code <= 90);

function decodedAt(text: string, at: number): { character: string; end: number } | undefined {
  const sign = text.charCodeAt(at);
  if (sign !== 0x26 && sign !== 0x25 && sign !== 0x3d) return undefined;
  ENCODED.lastIndex = at;
  const [whole, hex, decimal, percent, quoted] = ENCODED.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const code = decimal === undefined ? Number.parseInt(hex ?? percent ?? quoted ?? "", 16) : Number(decimal);
  return isPlain(code) ? { character: String.fromCharCode(code), end: at + whole.length } : undefined;
}
