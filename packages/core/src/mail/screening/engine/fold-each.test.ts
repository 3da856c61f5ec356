import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { foldText } from "./fold.ts";
import { foldEach } from "./fold-each.ts";
import { latinisedWords, plainLetters } from "./plain-letters.ts";
import { textOfAll } from "./utf16-units.ts";

const UNITS = 1 << 16;
const characters = Array.from({ length: UNITS }, (_, unit) => String.fromCharCode(unit));

/** The neighbours of a unit: letters, marks of several orders, and letters that look alike. */
const NEIGHBOURS = [
  "",
  "e",
  "Σ",
  "\u0334",
  "\u0345",
  "\u0316",
  "か",
  "ক",
  "ᄀ",
  "а",
  "ᴀ",
  "😀",
  "ß",
  "\u200b",
];

/** Folds with the fast path; null where it leaves a text to the slow one. */
function short(text: string): string | null {
  const folded = foldEach(text);
  return folded === null ? null : textOfAll(folded.units);
}

test.each(NEIGHBOURS)("each unit folds as it does in a whole text, beside %j", (beside) => {
  const different = characters.filter((unit) =>
    [beside + unit, unit + beside].some((text) => ![null, plainLetters(text)].includes(short(text))),
  );
  expect(different).toEqual([]);
});

test("nearly every unit folds on its own, so that nearly every text takes the short way", () => {
  const together = characters.filter((unit) => /[^\p{Cs}\p{M}]/u.test(unit) && short(unit) === null);
  expect(together.length).toBeLessThan(300);
});

test("a text folds as it does unit after unit", () => {
  const unit = fc.oneof(
    fc.nat(UNITS - 1).map((each) => String.fromCharCode(each)),
    fc.constantFrom(...NEIGHBOURS, "İ", "ﬁ", "…", "x", "Å", "한", "ﾞ", "َّ"),
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      expect([null, plainLetters(text)]).toContain(short(text));
      // A text of small letters has no case changes, at which words would be split.
      const small = text.toLowerCase();
      expect(foldText(small)).toBe(latinisedWords(plainLetters(small)));
    }),
    { numRuns: 3_000, seed: 11 },
  );
});

test("a text of more scripts than its tables may be made for takes the long way, until they are made", async () => {
  vi.resetModules();
  const { foldEach: foldAtFirst } = await import("./fold-each.ts");
  const few = "дом λόγος année";
  const many = "שלום سلام नमस्ते ਪੰਜਾਬੀ ગુજરાતી தமிழ் తెలుగు ಕನ್ನಡ ไทย";
  expect(foldAtFirst(few)).not.toBeNull();
  expect(foldAtFirst(many)).toBeNull();
  for (let time = 0; time < 4; time += 1) foldAtFirst(many);
  expect(foldAtFirst(many)).toEqual(foldEach(many));
});
