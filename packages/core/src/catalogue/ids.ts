import { randomBytes } from "node:crypto";

/** The prefix of every id, by what it names. */
export const ID_PREFIXES = [
  "acct",
  "key",
  "inb",
  "msg",
  "thr",
  "att",
  "dft",
  "own",
  "aut",
  "ses",
  "sch",
  "rec",
  "exp",
  "upd",
  "tsk",
  "wh",
  "whd",
  "evt",
  "evc",
  "apr",
  "dom",
  "wsp",
  "pho",
  "ent",
  "grt",
  "cli",
  "req",
  "job",
  "cnr",
  "pky",
  "par",
  "upl",
  "ref",
  "rul",
  "rep",
  "fwd",
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** Creates ids: `prefix_`, then 20 characters that sort by time, the last of which is a check character. */
export type MakeId = (prefix: IdPrefix) => string;

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const ALPHABET_CODES = Array.from(ALPHABET, (character) => character.charCodeAt(0));
const TIME_CHARS = 9;
const RANDOM_CHARS = 10;
const ID_BODY = /^[0-9a-hjkmnp-tv-z]{20}$/;

/** Random bytes drawn at once, because each draw costs as much as making a hundred ids. */
const POOL_BYTES = 1000;

/**
 * Creates an id generator on a clock. Its ids are monotonic within the process, even within one millisecond
 * and when the clock steps back.
 */
export function createIds(now: () => number, random: (bytes: number) => Uint8Array = drawn()): MakeId {
  let lastTime = -1;
  let timeText = "";
  let timeSum = 0;
  let tail: number[] = [];
  /** The codes of the random characters and of the check character; each new id overwrites them. */
  const codes: number[] = Array.from({ length: RANDOM_CHARS + 1 }, () => 0);
  return (prefix) => {
    const time = now();
    if (time > lastTime) {
      lastTime = time;
      timeText = encodeTime(time);
      timeSum = checkSum(timeText);
      tail = Array.from(random(RANDOM_CHARS), (byte) => byte & 31);
      tail[0] = (tail[0] ?? 0) & 15; // headroom, so that counting up never overflows
    } else {
      countUp(tail);
    }
    let sum = timeSum;
    for (let at = 0; at < RANDOM_CHARS; at++) {
      const digit = tail[at] ?? 0;
      sum ^= summandOf(TIME_CHARS + at, digit);
      codes[at] = ALPHABET_CODES[digit] ?? 0;
    }
    codes[RANDOM_CHARS] = ALPHABET_CODES[sum] ?? 0;
    return `${prefix}_${timeText}${String.fromCharCode(...codes)}`;
  };
}

/** Random bytes from a pool. */
function drawn(): (bytes: number) => Uint8Array {
  let pool = randomBytes(0);
  return (bytes) => {
    if (pool.length < bytes) pool = randomBytes(POOL_BYTES);
    const taken = pool.subarray(0, bytes);
    pool = pool.subarray(bytes);
    return taken;
  };
}

/** Whether a word is an id with this prefix and a correct check character. */
export function isId(prefix: IdPrefix, word: string): boolean {
  if (!word.startsWith(`${prefix}_`)) return false;
  const body = word.slice(prefix.length + 1);
  return ID_BODY.test(body) && checkCharacter(body.slice(0, -1)) === body.at(-1);
}

/** Whether a word starts like an id of any kind, valid or mistyped. */
export function looksLikeId(word: string): boolean {
  return ID_PREFIXES.some((prefix) => word.startsWith(`${prefix}_`));
}

/** When an id was created. */
export function timeOfId(id: string): Date {
  const body = id.slice(id.indexOf("_") + 1, id.indexOf("_") + 1 + TIME_CHARS);
  let time = 0;
  for (const character of body) time = time * 32 + ALPHABET.indexOf(character);
  return new Date(time);
}

/**
 * Returns an id that sorts before every id with this prefix created at or after `time`, and after all older ones. It
 * has the form of an id, because the search indexes accept nothing else.
 */
export function idFloor(prefix: IdPrefix, time: Date): string {
  return `${prefix}_${encodeTime(time.getTime())}${"0".repeat(RANDOM_CHARS + 1)}`;
}

function encodeTime(time: number): string {
  let rest = time;
  let text = "";
  for (let index = 0; index < TIME_CHARS; index++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function countUp(digits: number[]): void {
  for (let index = digits.length - 1; index >= 0; index--) {
    const digit = digits[index] ?? 0;
    if (digit < 31) {
      digits[index] = digit + 1;
      return;
    }
    digits[index] = 0;
  }
}

const checkCharacter = (body: string): string => ALPHABET.charAt(checkSum(body));

/**
 * A weighted sum over GF(32) with a different weight for each position: it detects every single wrong
 * character and every swap of two.
 */
function checkSum(characters: string): number {
  let sum = 0;
  for (let at = 0; at < characters.length; at++)
    sum ^= summandOf(at, ALPHABET.indexOf(characters.charAt(at)));
  return sum;
}

/** The summand of each digit at each position of an id: its product with the position's weight. */
const SUMMANDS = findSummands();
const summandOf = (position: number, digit: number): number => SUMMANDS[32 * position + digit] ?? 0;

function findSummands(): number[] {
  const summands: number[] = [];
  let weight = 1;
  for (let position = 0; position < TIME_CHARS + RANDOM_CHARS; position++) {
    weight = multiply(weight, 2);
    for (let digit = 0; digit < 32; digit++) summands.push(multiply(weight, digit));
  }
  return summands;
}

function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = a;
  for (let bits = b; bits > 0; bits >>= 1) {
    if (bits & 1) product ^= shifted;
    shifted <<= 1;
    if (shifted & 32) shifted ^= 0b100101; // x^5 + x^2 + 1, primitive over GF(2)
  }
  return product;
}

const MAX_NAMED = 100;

/** Lists ids for a sentence: "inb_1, inb_2", at most a hundred of them. */
export function inWords(ids: readonly string[]): string {
  const more = ids.length - MAX_NAMED;
  return ids.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
