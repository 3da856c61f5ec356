import {
  isChecked,
  isReturnPathId,
  REPLY_ID_CHARS,
  RETURN_PATH_CHARS,
  STRUCK_PREFIXES,
  WORD_CHARS,
} from "../../catalogue/letter-words.ts";

/** A secret of a mail of ours found in a text: its position, and the secret as it was issued. */
export interface FoundWord {
  start: number;
  end: number;
  /**
   * The word with its prefix, or the id of a reply address; null for secrets that only reports about our mail contain.
   */
  secret: string | null;
}

/** The length of a secret's shortest spelling: the header of reports with ten characters. */
export const MIN_WORD_CHARS = "x-svc-report:".length + 10;
/**
 * The maximum total cost of the breaks within one word: ordinary words have a blank every few letters, secrets don't.
 */
const MAX_BREAK_COST = 8;
const BLANK_COST = 4;
const TAG_COST = 4;

/**
 * The breaks that mail programs put into a long word: line breaks with quote marks, soft breaks, invisible characters,
 * tags.
 */
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

const spelled = (word: string): string => [...word].map(letter).join(SOME_BREAKS);
const PLUS = `(?:${letter("+")}|-2b)`;

/**
 * The first letters of a secret, the start of a reply address or of a return path, in any writing. Proofpoint's older
 * links write a hyphen for the percent sign. Linear, because each part is bounded.
 */
const START = new RegExp(
  `(?<word>${spelled("ls")}${SOME_BREAKS}(?:(?<o>${letter("o")})|(?<u>${letter("u")})|${letter("v")}))` +
    `|(?<reply>${letter("r")}${PLUS})|${spelled("bounce")}${PLUS}`,
  "iy",
);

/** The header that proves that a report's sender has seen our mail, and its value. */
const REPORT_MARK = /x-svc-report[ \t]{0,20}:[ \t\r\n]{0,20}[\w+/=.-]{1,200}/iy;

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
  const plain = text.slice(start, start + 3);
  if (STRUCK_PREFIXES.includes(plain)) return readSecret(text, start, start + 3, plain);
  REPORT_MARK.lastIndex = start;
  if (REPORT_MARK.test(text)) return { start, end: REPORT_MARK.lastIndex, secret: null };
  START.lastIndex = start;
  const { word, o, u, reply } = START.exec(text)?.groups ?? NOTHING;
  const from = START.lastIndex;
  if (from === 0) return undefined;
  if (word !== undefined) return readSecret(text, start, from, o ? "lso" : u ? "lsu" : "lsv");
  return reply === undefined ? readReturnPath(text, start, from) : readSecret(text, start, from, "");
}

const NOTHING: Record<string, string | undefined> = {};

function readSecret(text: string, start: number, from: number, prefix: string): FoundWord | undefined {
  const read = readCharacters(text, from, prefix === "" ? REPLY_ID_CHARS : WORD_CHARS, isPlain);
  return read !== undefined && isChecked(read.characters)
    ? { start, end: read.end, secret: prefix + read.characters }
    : undefined;
}

function readReturnPath(text: string, start: number, from: number): FoundWord | undefined {
  const read = readCharacters(text, from, RETURN_PATH_CHARS, isAlphanumeric);
  if (read === undefined || isAlphanumeric(text.charCodeAt(read.end))) return undefined;
  return isReturnPathId(read.characters) ? { start, end: read.end, secret: null } : undefined;
}

/**
 * The possible start of a word, in any encoding of its first character. Every character of every mail passes through
 * here, so it rules out ordinary words early, and has one alternative for each character.
 */
const CANDIDATE = new RegExp(
  [
    "l(?:s(?:[ouv]|[^a-zA-Z .,])|S|[\\s>|\\0]{1,40}[sS&%=<]|(?=ENCODED))",
    "L(?:[sS]|(?=ENCODED))",
    "[rR](?=ENCODED|[+-])",
    "[bB](?=[oO](?:[uU][nN]|[^a-zA-Z .,])|[\\s>|\\0]{1,40}[oO&%=<]|ENCODED)",
    "[xX](?=-[sS][vV][cC]-[rR])",
    "&(?=#|amp;#|amp;amp;)",
    "%(?=25|[46][2cC]|[57]2)",
    "=(?=[46][2cC]|[57]2)",
  ]
    .join("|")
    .replaceAll("ENCODED", "[=<&%\\u00ad\\u200b-\\u200f\\u2060\\ufeff]"),
  "g",
);

function nextCandidate(text: string, from: number): number {
  CANDIDATE.lastIndex = from;
  return CANDIDATE.exec(text)?.index ?? -1;
}

/** Reads a number of characters of a class, in lower case, with breaks and encodings removed. */
function readCharacters(
  text: string,
  from: number,
  length: number,
  belongs: (code: number) => boolean,
): { characters: string; end: number } | undefined {
  let at = from;
  let cost = 0;
  let characters = "";
  while (characters.length < length) {
    const code = text.charCodeAt(at);
    if (belongs(code)) {
      characters += text.charAt(at);
      at += 1;
      continue;
    }
    // A single blank nearly always ends an ordinary word.
    if (code === 32 && belongs(text.charCodeAt(at + 1))) {
      cost += BLANK_COST;
      if (cost > MAX_BREAK_COST) return undefined;
      at += 1;
      continue;
    }
    const decoded = decodedAt(text, at, belongs);
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
  return { characters: characters.toLowerCase(), end: at };
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

const isAlphanumeric = (code: number): boolean => isPlain(code) || (code >= 48 && code <= 57);

function decodedAt(
  text: string,
  at: number,
  belongs: (code: number) => boolean,
): { character: string; end: number } | undefined {
  const sign = text.charCodeAt(at);
  if (sign !== 0x26 && sign !== 0x25 && sign !== 0x3d) return undefined;
  ENCODED.lastIndex = at;
  const [whole, hex, decimal, percent, quoted] = ENCODED.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const code = decimal === undefined ? Number.parseInt(hex ?? percent ?? quoted ?? "", 16) : Number(decimal);
  return belongs(code) ? { character: String.fromCharCode(code), end: at + whole.length } : undefined;
}
