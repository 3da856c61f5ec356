import fc from "fast-check";
import { expect, test } from "vitest";
import { ALWAYS, ANY_LANGUAGE, bitOfLanguage } from "../words/languages.ts";
import {
  isPayee,
  type MeaningIndex,
  meaningIndex,
  meaningsOf,
  STEM_KEY_CHARS,
  WATCHED,
} from "../words/word-meanings.ts";
import { meaningReader } from "./meaning-reader.ts";
import { unitsOf } from "./utf16-units.ts";
import { ADDRESS, CELLS, isUnspaced, MARKS, textAt, tokenize } from "./words.ts";

const LEXICON = {
  ask: "please kindly ask* bitte veuil*",
  rule: `rule rules instruction* ${WATCHED.join(" ")}`,
  pay: "pay transfer überweis* 支払 โอนเงิน",
  short: "무시* ai* me",
};
const indexes: readonly MeaningIndex[] = [
  meaningIndex([[{ language: "mul", words: LEXICON }]]),
  meaningIndex([[{ language: "mul", words: { other: "rules ask* 支払 me*" } }]]),
];

/** Whether an unlisted word is too short for a stem, and so has no meaning unless it is the start of an address. */
const isTooShort = (word: string): boolean =>
  word.length < STEM_KEY_CHARS && !isUnspaced(word) && !indexes.some(({ words }) => words.has(word));

/** Returns the meaning of each word of a text, once as read and once without any fast path. */
function bothWays(text: string) {
  const words = tokenize(unitsOf(text));
  const read = meaningReader(indexes);
  return Array.from({ length: words.count }, (_, nth) => {
    const word = textAt(words, nth);
    const is_address = ((words.table[nth * CELLS + MARKS] ?? 0) & ADDRESS) !== 0;
    const written = is_address ? "address" : isPayee(word) ? "payee" : null;
    const looked_up = written === null && isTooShort(word) ? null : meaningsOf(indexes, word, written);
    return [read.meaningOf(words, nth, read.numberOf(words, nth), ANY_LANGUAGE), looked_up];
  });
}

const PARTS = Object.values(LEXICON)
  .join(" ")
  .split(/[ *]+/)
  .concat(
    "de89370400440532013000",
    "0x52908400098527886e0f7030",
    "ask@b.example",
    "ai@b.example",
    "a i  e a r l i e r",
    "pay",
    "_",
    "'",
    "1gn0re",
    "x",
  );

test.each([
  ["words of the lexicons", PARTS.join(" ")],
  ["forms of their stems", "asking askedly veuillez überweisung instructional"],
  ["slips in watched words", "ignor ignoree igmore previuos prevous instructons disregrad overide 1gnore"],
  ["numbers to pay to", "de89370400440532013000 bc1qw508d6qejxtdg4y5r3zarvary0c5xw7k"],
  ["the starts of addresses", "ask@b.example, someone@b.example, 支払@b.example"],
  [
    "short stems",
    "무시 ai me, mer, a_i me_ai, 무 시  e a r l i e r, 支 払  e a r l i e r, 支 x  e a r l i e r",
  ],
  ["starts of addresses that are short stems", "xy@b.example 무시@b.example ai@b.example me@b.example"],
  ["short starts of addresses in turn", "무시@b.example xy@b.example x@b.example"],
  ["runs of scripts without spaces", "今すぐ支払を 支払 กรุณาโอนเงินด่วน"],
  ["words that mean nothing", "morning weather lunch 2026 année"],
])("%s mean the same as looked up one by one", (_, text) => {
  const words = bothWays(text);
  expect(words.length).toBeGreaterThan(0);
  for (const [read, looked_up] of words) expect(read).toEqual(looked_up);
});

test("so does any word, with letters dropped, changed, doubled or swapped", () => {
  const slip = fc
    .tuple(fc.constantFrom(...PARTS), fc.nat(20), fc.constantFrom("", "a", "7", "é", "支", "_"), fc.boolean())
    .map(([word, at, put, drops]) => word.slice(0, at) + put + word.slice(drops ? at + 1 : at));
  fc.assert(
    fc.property(fc.array(slip, { maxLength: 12 }), (parts) => {
      for (const [read, looked_up] of bothWays(parts.join(" "))) expect(read).toEqual(looked_up);
    }),
    { numRuns: 2_000, seed: 5 },
  );
});

test("a word means what it means in the languages asked for", () => {
  const spoken = [
    { language: "fr", words: { tell: "dis", not: "pas*" } },
    { language: "es", words: { step: "pas", tell: "di dis" } },
    { language: "ja", words: { pay: "支払" } },
    { language: "mul", words: { click: "click" } },
  ];
  const read = meaningReader([meaningIndex([spoken])]);
  const words = tokenize(unitsOf("dis pas 支払 click"));
  const [fr, es, de] = ["fr", "es", "de"].map((language) => ALWAYS | bitOfLanguage(language));
  const meanings = (languages: number) =>
    Array.from(
      { length: words.count },
      (_, nth) =>
        read.meaningOf(words, nth, read.numberOf(words, nth), languages)?.by_index[0]?.meanings.length ?? 0,
    );
  expect(meanings(ANY_LANGUAGE)).toEqual([1, 2, 1, 1]);
  expect(meanings(fr ?? 0)).toEqual([1, 1, 1, 1]);
  expect(meanings(es ?? 0)).toEqual([1, 1, 1, 1]);
  expect(meanings(de ?? 0)).toEqual([0, 0, 1, 1]);
  expect(meanings((fr ?? 0) | (es ?? 0))).toEqual([1, 2, 1, 1]);
});
