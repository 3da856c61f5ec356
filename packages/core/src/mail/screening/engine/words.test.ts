import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldText } from "./fold.ts";
import { unitsOf } from "./utf16-units.ts";
import { ADDRESS, CELLS, LINE, MARKS, MAX_WORD_CHARS, SENTENCE, textAt, tokenize } from "./words.ts";

/** The words of a text, each as an object. */
function wordsOf(text: string) {
  const words = tokenize(unitsOf(text));
  return Array.from({ length: words.count }, (_, nth) => {
    const cells = words.table.subarray(nth * CELLS, (nth + 1) * CELLS);
    return {
      text: textAt(words, nth),
      sentence: cells[SENTENCE],
      line: cells[LINE],
      address: ((cells[MARKS] ?? 0) & ADDRESS) !== 0,
    };
  });
}

const texts = (text: string) => wordsOf(text).map((word) => word.text);

describe("words", () => {
  test.each([
    ["user's l'utilisateur don't we’ll", ["user", "utilisateur", "don't", "we'll"]],
    ["ends with an apostrophe' here", ["ends", "with", "an", "apostrophe", "here"]],
    ["send_email now", ["send_email", "send", "email", "now"]],
    ["i g n o r e  a l l", ["ignore", "all"]],
    ["наш 東京 서울 12", ["наш", "東京", "서울", "12"]],
    ["a 😀 b", ["a", "b"]],
    ["सभी निर्देशों", ["सभी", "निर्देशों"]],
    ["あ".repeat(90), ["あ".repeat(40), "あ".repeat(40), "あ".repeat(10)]],
    ["a".repeat(90), ["a".repeat(40)]],
  ])("of %j", (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  test("have their sentence, their line and whether they start an address", () => {
    const [one, two, three, four] = wordsOf("one. two\n\nthree four@b.example");
    expect([one, two, three, four].map((word) => word?.sentence)).toEqual([0, 1, 2, 2]);
    expect([one, two, three, four].map((word) => word?.line)).toEqual([1, 1, 3, 3]);
    expect([three, four].map((word) => word?.address)).toEqual([false, true]);
  });

  test("are Unicode letters and numbers, cut at the maximum length", () => {
    const any = fc.string({
      unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
      minLength: 0,
      maxLength: 80,
    });
    fc.assert(
      fc.property(any, (text) => {
        const pairless = text.replace(/[\uD800-\uDFFF'’_]/g, " ");
        const runs = (pairless.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((run) => run.length > 1);
        const found = texts(pairless).filter((word) => word.length > 1);
        expect(
          found.filter((word) => runs.some((run) => run.slice(0, MAX_WORD_CHARS) === word)).length,
        ).toBeGreaterThanOrEqual(runs.length);
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});

describe("folding", () => {
  test.each([
    ["Łódź, Straße, Øresund, œuvre", "lodz, strasse, oresund, oeuvre"],
    ["forgetPreviousInstructions", "forget previous instructions"],
    ["JavaScript and eBay", "javascript and ebay"],
    ["Раураl", "paypal"],
    ["письмо", "письмо"],
    ["ig\u200Bnore", "ignore"],
    ["パスワード 한국", "パスワード 한국"],
  ])("of %s", (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});
