/** What a UTF-16 unit is to the cutter of words. */
export const NO_LETTER = 0;
export const LETTER = 1;
const DIGIT = 2;

/** Units are looked at in blocks of 256, each when a text first has one of it. */
const BLOCK_BITS = 8;
const BLOCK_UNITS = 1 << BLOCK_BITS;
const blocks: Array<Uint8Array | undefined> = Array.from({ length: BLOCK_UNITS }, () => undefined);

/**
 * The kind of a UTF-16 unit by Unicode's letters and numbers, the underscore among these: `LETTER`,
 * `NO_LETTER` or a digit. It is read from a table, at a tenth of what a regular expression costs. Halves of
 * pairs are no letters, since no rule knows a word of the scripts that are written with them; nor is what
 * `charCodeAt` gives past the end.
 */
export function kindOf(unit: number): number {
  const number = unit >> BLOCK_BITS;
  const block = (blocks[number] ??= kindsOf(number));
  return block[unit & (BLOCK_UNITS - 1)] ?? NO_LETTER;
}

function kindsOf(block: number): Uint8Array {
  return Uint8Array.from({ length: BLOCK_UNITS }, (_, at) => {
    const character = String.fromCharCode((block << BLOCK_BITS) + at);
    if (/\p{L}/u.test(character)) return LETTER;
    return /[\p{N}_]/u.test(character) ? DIGIT : NO_LETTER;
  });
}
