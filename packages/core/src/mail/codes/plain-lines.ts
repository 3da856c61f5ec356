const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;
/** Vowel signs that Arabic and Hebrew mostly omit, and the stroke that lengthens a word. */
const VOWEL_SIGNS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670]/g;
const WIDE_MARKS = /[，．。、；：！？]/g;
const LONG_MARKS = /(\p{M}{4})\p{M}+/gu;

const ADDRESSES = /(?:https?:\/\/|www\.)[^\s<>"]{1,2000}|[\w.+-]{1,64}@[\w.-]{1,255}/gi;
const DIGIT = /\p{Nd}/u;

/** The characters of a mail that are searched for codes. */
export const MAX_CODE_CHARS = 20_000;
const MAX_LINE_CHARS = 2_000;
const MAX_LINES = 1_000;

/**
 * Splits a text into lines to search for codes: normalised width, digits of every script as 0 to 9, nothing
 * invisible. Wide punctuation keeps its space, and `@` replaces addresses and URLs. Long lines are split,
 * which bounds the search around a word.
 */
export function plainLines(text: string): string[] {
  const plain = text
    .slice(0, MAX_CODE_CHARS)
    .replace(INVISIBLE, "")
    .replace(VOWEL_SIGNS, "")
    .replace(WIDE_MARKS, "$& ")
    .replace(LONG_MARKS, "$1")
    .normalize("NFKC")
    .replace(/[^\P{Nd}0-9]/gu, asciiDigit)
    .replace(ADDRESSES, "@");
  return plain
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap(inPieces)
    .slice(0, MAX_LINES);
}

/** A line with one piece of a code, as table cells become lines, or with a dash between two. */
const PIECE = /^(?:\d{1,3}|[A-Z]|[-–])$/;
const DASH = /^[-–]$/;

/**
 * Returns the non-empty lines, with the pieces of a code joined: single digits and capitals, two groups of three
 * digits, or pairs.
 */
export function joinedLines(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    const pieces = run.filter((piece) => !DASH.test(piece));
    if (areOfOneCode(pieces)) joined.push(pieces.join(" "));
    else joined.push(...run);
    run = [];
  };
  for (const line of lines) {
    if (line === "") continue;
    if (PIECE.test(line)) run.push(line);
    else {
      endRun();
      joined.push(line);
    }
  }
  endRun();
  return joined;
}

function areOfOneCode(pieces: readonly string[]): boolean {
  const size = pieces[0]?.length ?? 0;
  if (pieces.some((piece) => piece.length !== size)) return false;
  if (size === 3) return pieces.length === 2;
  return size === 2 ? pieces.length === 3 || pieces.length === 4 : pieces.length > 1;
}

/** The ten digits of a script are consecutive, so its zero is the one with no digit before it. */
function asciiDigit(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

function inPieces(line: string): string[] {
  if (line.length <= MAX_LINE_CHARS) return [line.trim()];
  return Array.from({ length: Math.ceil(line.length / MAX_LINE_CHARS) }, (_, index) =>
    line.slice(index * MAX_LINE_CHARS, (index + 1) * MAX_LINE_CHARS).trim(),
  );
}
