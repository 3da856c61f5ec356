import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../test/support/processor-time.ts";
import { seeded } from "../../../../test/support/seeded.ts";
import {
  foldForSearch,
  joinedSearchWords,
  MAX_INDEXED_CHARS,
  queryWords,
  searchWordsOf,
  WORD_MAX_CHARS,
} from "./search-words.ts";

describe("the words of a text", () => {
  test.each([
    ["Hello, World!", ["hello", "world"]],
    ["Crème Brûlée naïve", ["creme", "brulee", "naive"]],
    ["cre\u0300me", ["creme"]],
    ["Straße STRASSE", ["strasse", "strasse"]],
    ["Łódź Ærø Ørsted", ["lodz", "aero", "orsted"]],
    ["ΟΔΟΣ οδός", ["οδοσ", "οδοσ"]],
    ["İstanbul ISPARTA", ["istanbul", "isparta"]],
    ["ＦＵＬＬ　ｗｉｄｔｈ ﬁle", ["full", "width", "file"]],
    ["invoice #2026-114, 3.50 €", ["invoice", "2026", "114", "3", "50"]],
    ["ada@example.com", ["ada", "example", "com"]],
    ["https://example.org/a-page?x=1_2", ["https", "example", "org", "a", "page", "x", "1", "2"]],
    ["co\u00adoperate zero\u200dwidth", ["cooperate", "zerowidth"]],
    ["Привет, МИР", ["привет", "мир"]],
    ["हिन्दी भाषा", ["हिन्दी", "भाषा"]],
    ["한국어 메일", ["한국어", "메일"]],
    ["東京都", ["東京", "京都", "都"]],
    ["茶", ["茶"]],
    ["がぎ コーヒー", ["がぎ", "ぎ", "コー", "ーヒ", "ヒー", "ー"]],
    ["ไทย", ["ไท", "ทย", "ย"]],
    ["PDF版v2です", ["pdf", "版", "v2", "です", "す"]],
    ["𠮷野家", ["𠮷野", "野家", "家"]],
    ["… -- !? \u0301", []],
    ["", []],
  ])("%j is split into %j", (text, words) => {
    expect(searchWordsOf(text, 100)).toEqual(words);
    expect(joinedSearchWords(text, 100)).toBe(words.join(" "));
    expect(joinedSearchWords(`${text} ПРИВЕТ`, 100)).toBe([...words, "привет"].join(" "));
    // A search looks for its words in the folded text before it splits it.
    for (const word of words) expect(foldForSearch(`${text} ПРИВЕТ ${text}`)).toContain(word);
  });

  test("no more words are returned than requested", () => {
    expect(searchWordsOf("a b c d", 2)).toEqual(["a", "b"]);
    expect(searchWordsOf("東京都庁", 2)).toEqual(["東京", "京都"]);
    expect(joinedSearchWords("a b c d", 2)).toBe("a b");
    expect(joinedSearchWords("東京都庁", 2)).toBe("東京 京都");
  });

  test("a long word is cut, never inside a character", () => {
    expect(searchWordsOf("x".repeat(1000), 10)).toEqual(["x".repeat(WORD_MAX_CHARS)]);
    expect(searchWordsOf(`x${"𝔞".repeat(100)}`, 10)[0]?.length).toBe(WORD_MAX_CHARS);
    expect(searchWordsOf(`x${"\u{10428}".repeat(100)}`, 10)[0]?.isWellFormed()).toBe(true);
  });

  test("a text of one endless word is read in pieces, each of which has a word", () => {
    const words = searchWordsOf("x".repeat(MAX_INDEXED_CHARS), 40_000);
    expect(new Set(words)).toEqual(new Set(["x".repeat(WORD_MAX_CHARS)]));
    expect(words.length).toBeGreaterThan(10);
    expect(words.length).toBeLessThan(100);
    expect(searchWordsOf("𝔞".repeat(MAX_INDEXED_CHARS), 40_000).every((word) => word.isWellFormed())).toBe(
      true,
    );
  });

  test("joined words are those of the list, in each text of random characters, however many are wanted", () => {
    const random = seeded(1);
    const ranges = [
      [0, 0x80],
      [0, 0x250],
      [0x2000, 0x2070],
      [0x300, 0x700],
      [0x3000, 0x3100],
      [0, 0x11_0000],
    ] as const;
    for (let count = 0; count < 500; count++) {
      const used = ranges.slice(0, 1 + (count % ranges.length));
      const characters = Array.from({ length: Math.floor(random() * 300) }, () => {
        const [from, to] = used[Math.floor(random() * used.length)] ?? ranges[0];
        return random() < 0.2 ? " " : String.fromCodePoint(from + Math.floor(random() * (to - from)));
      });
      const text = characters.join("");
      for (const max of [1, 7, 1_000])
        expect(joinedSearchWords(text, max), JSON.stringify(text)).toBe(searchWordsOf(text, max).join(" "));
    }
    const long = `${"x".repeat(70)} x${"𝔞".repeat(100)} ${"é".repeat(25_000)} ${"中".repeat(25_000)}`;
    expect(joinedSearchWords(long, 40_000)).toBe(searchWordsOf(long, 40_000).join(" "));
  });

  test("reading in pieces splits no word that ends anywhere near", () => {
    const text = Array.from({ length: 40_000 }, (_, index) => `word${index}é, `).join("");
    const expected = Array.from({ length: 40_000 }, (_, index) => `word${index}e`);
    const words = searchWordsOf(text, 100_000);
    expect(words.length).toBeGreaterThan(30_000);
    expect(words).toEqual(expected.slice(0, words.length - 1).concat(words.slice(-1)));
  });

  test.each([
    ["spaces", " "],
    ["quotes", '"'],
    ["Chinese", "中文"],
    ["one word", "a"],
    ["one word with accents", "é"],
    ["capital letters with marks", "A\u0301"],
  ])("24 MB of %s hold the event loop for less than 50 ms", async (_, unit) => {
    const text = unit.repeat(24_000_000 / Buffer.byteLength(unit));
    searchWordsOf(text, 40_000);
    expect(await measureThreadCpu(() => searchWordsOf(text, 40_000))).toBeLessThan(50);
  });

  test("a query has no last single characters, because a longer run lacks them", () => {
    expect(queryWords("東京")).toEqual(["東京"]);
    expect(queryWords("茶")).toEqual(["茶"]);
  });

  test("each Latin letter and punctuation mark gives the same words next to another script as alone", () => {
    const codes = [...Array(0x250).keys(), ...Array.from({ length: 0x70 }, (_, index) => 0x2000 + index)];
    for (const code of codes) {
      const text = `a${String.fromCharCode(code)}b ${String.fromCharCode(code)}9`;
      expect(searchWordsOf(text, 9), code.toString(16)).toEqual(searchWordsOf(`${text} мир`, 9).slice(0, -1));
    }
  });

  test("the cost is linear in the text, whatever it contains", async () => {
    const hostile = [
      "\u05b0\u0591",
      "\u0315\u0300",
      "a\u0301",
      "東",
      "\u0e4b\u0e38",
      "ﷺ",
      "x",
      "\ud800",
      "İ",
    ];
    for (const unit of hostile) {
      const text = unit.repeat(200_000);
      const spent = await measureThreadCpu(() => searchWordsOf(text, Number.POSITIVE_INFINITY));
      expect(spent, JSON.stringify(unit)).toBeLessThan(1_000);
    }
  });
});
