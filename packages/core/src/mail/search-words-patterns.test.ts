import { expect, test } from "vitest";
import { casesOf } from "../../../../test/support/case-count.ts";
import { foldForSearch, queryWords, searchWordsOf, shortenWord } from "./search-words.ts";

/** The same words, as patterns with classes of Unicode say them. */
const LETTERS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const SPACELESS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const SPACELESS_LETTER = new RegExp(`[${SPACELESS}]`, "u");
const SEGMENT = new RegExp(`[${SPACELESS}]+|[^${SPACELESS}]+`, "gu");
const MARK_RUN = /(\p{M}{4})\p{M}+/gu;
const ACCENTS = /[\u0300-\u036f\u00ad\u200c\u200d\u2060\ufeff]+/g;

const withoutAccents = (text: string): string =>
  text.replace(ACCENTS, "").replace(MARK_RUN, "$1").normalize("NFKD").replace(ACCENTS, "").normalize("NFC");

function wordsByPatterns(folded: string, tails: boolean): string[] {
  return [...folded.matchAll(LETTERS)].flatMap(([letters]) =>
    [...letters.matchAll(SEGMENT)].flatMap(([part]) => {
      if (!SPACELESS_LETTER.test(part)) return [part];
      const characters = [...part];
      const pairs = characters.slice(1).map((character, index) => characters[index] + character);
      return tails || pairs.length === 0 ? [...pairs, characters.at(-1) ?? ""] : pairs;
    }),
  );
}

/** First and last characters of scripts, forms and symbols that meet in mail, or never do. */
const RANGES = [
  ...[0x20, 0x7e, 0xa0, 0x24f, 0x300, 0x36f, 0x370, 0x5ff, 0x600, 0x6ff, 0x900, 0xdff, 0xe00, 0xeff],
  ...[0x1000, 0x11ff, 0x1780, 0x17ff, 0x2000, 0x206f, 0x3000, 0x30ff, 0x3131, 0x318e, 0x4e00, 0x4fff],
  ...[0xac00, 0xad00, 0xd7a0, 0xd7ff, 0xd800, 0xdfff, 0xf900, 0xffff, 0, 0xffff],
  ...[0x10400, 0x1044f, 0x1d400, 0x1d4ff, 0x1f000, 0x1fbff, 0x20000, 0x20100],
];

/** Numbers below `limit` that look random, the same in each run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

test("mixtures of any scripts have the words that the patterns of Unicode say", () => {
  const next = numbers(20_261_122);
  const textOf = () => {
    const ranges = Array.from({ length: 1 + next(3) }, () => 2 * next(RANGES.length / 2));
    const characters = Array.from({ length: 1 + next(14) }, () => {
      const range = ranges[next(ranges.length)] ?? 0;
      const [first = 0, last = 0] = RANGES.slice(range, range + 2);
      const character = String.fromCodePoint(first + next(last - first + 1));
      return next(5) === 0 ? `${character} ` : character;
    });
    return characters.join("");
  };
  const differing: string[] = [];
  for (let count = 0; count < casesOf(6_000, 30_000); count++) {
    const text = textOf();
    const folded = foldForSearch(text);
    const plain = withoutAccents(text).toLowerCase();
    // Letters that normalisation doesn't decompose are folded besides.
    const same = folded === plain || /[ßæœøłđðþıς]/.test(plain);
    const [indexed, asked] = [searchWordsOf(text, 1_000), queryWords(text)];
    const words = wordsByPatterns(folded, true).map(shortenWord);
    if (same && indexed.join() === words.join() && asked.join() === wordsByPatterns(folded, false).join())
      continue;
    differing.push(text);
  }
  expect(differing).toEqual([]);
});
