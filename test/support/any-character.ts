import fc from "fast-check";

const [FIRST_SURROGATE, SURROGATES, CHARACTERS] = [0xd800, 0x800, 0x10f800];

const toCharacter = (index: number): string =>
  String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES);

function toIndex(character: unknown): number {
  const code = typeof character === "string" ? (character.codePointAt(0) ?? 0) : 0;
  if (character !== String.fromCodePoint(code) || /\p{Surrogate}/u.test(character))
    throw new Error("not a character");
  return code < FIRST_SURROGATE ? code : code - SURROGATES;
}

/**
 * Any character of Unicode. As `unit: "binary"` of fast-check, which first puts all million into a table: that takes
 * seconds.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: CHARACTERS - 1 }).map(toCharacter, toIndex);
