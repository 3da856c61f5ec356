import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { literalFinder } from "./literals.ts";
import { unitsOf } from "./utf16-units.ts";

const find = (literals: string[], text: string) => literalFinder(literals)(unitsOf(text));

describe("literals in a text", () => {
  test.each<[string, string[], string, string[]]>([
    ["none", ["ab"], "ba", []],
    ["in an empty text", ["ab"], "", []],
    ["at its start and end", ["ab", "yz"], "ab yz", ["ab", "yz"]],
    ["one inside another", ["he", "she", "hers", "his"], "ushers", ["he", "she", "hers"]],
    ["one that ends where a longer one breaks off", ["abcd", "bc"], "abce", ["bc"]],
    ["one behind its own start", ["aab"], "aaab", ["aab"]],
    ["of one character", ["|"], "a | b", ["|"]],
    ["beyond ASCII", ["=“", "é"], "x =“é” 中", ["=“", "é"]],
    ["at the start of the first line", ["\nab", "\nb"], "ab", ["\nab"]],
    ["apart from characters that none has", ["a b"], "a😀b", []],
  ])("%s", (_, literals, text, expected) => {
    expect([...find(literals, text)].toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
      expected.toSorted((a, b) => (a < b ? -1 : 1)),
    );
  });

  test("are those that the text includes", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 1, maxLength: 12 }),
        fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "中"), maxLength: 60 }),
        (literals, text) => {
          const found = find(literals, text);
          for (const literal of literals) expect(found.has(literal)).toBe(text.includes(literal));
        },
      ),
      { numRuns: 500, seed: 11 },
    );
  });
});
