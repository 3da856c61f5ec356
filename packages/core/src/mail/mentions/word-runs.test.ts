import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import { blocksOf, blocksToFind, type RunSource, runsElsewhere, wordsOf } from "./word-runs.ts";

/** Words that no other number begins with. */
const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, nth) => `word${from + nth}`).join(" ");

test.each([
  ["> Hello,\r\n> World!", ["hello", "world"]],
  ["It&#39;s ｆｕｌｌ width, dis\u00adguised", ["it", "s", "full", "width", "disguised"]],
  ["Straße nr. 5a", ["straße", "nr", "5a"]],
  ["東京 Tower", ["東", "京", "tower"]],
  ["", []],
])("the words of %j are %j", (text, expected) => {
  expect(wordsOf(text)).toEqual(expected);
});

test("whatever stands around a run of 25 words, a block of it is found again", () => {
  const run = words(1_000, 25);
  for (let before = 0; before < 30; before++) {
    const noted = new Set(blocksOf([`${words(0, before)} ${run} ${words(2_000, 7)}`]));
    expect(blocksToFind([`Hi! ${run}. Bye`]).some((block) => noted.has(block))).toBe(true);
  }
});

test("a second text adds only the blocks that the first doesn't have anywhere", () => {
  const text = words(0, 60);
  expect(blocksOf([text, `Title ${text}`])).toHaveLength(5);
  expect(blocksOf([text, `${text} ${words(100, 20)}`])).toHaveLength(6);
});

const came = (text: string, more: Partial<RunSource> = {}): RunSource => ({
  ...{ texts: [text], html: null, blocks: blocksOf([text]), at: "2026-11-01" },
  ...{ own: false, organisation: null, had_by: [], ...more },
});
const said = words(0, 40);

describe("words elsewhere", () => {
  test.each<[string, string[], RunSource[], number[]]>([
    ["are found", [said], [came(said)], [0]],
    ["are found once quoted and wrapped", [said.replaceAll(" word1", "\n> word1")], [came(said)], [0]],
    ["are found in HTML", ["Hi", said], [came("", { html: `<p>${said.replaceAll(" ", "</p><p>")}` })], [0]],
    ["are found with 25", [words(5, 25)], [came(said)], [0]],
    ["need 25", [words(5, 24)], [came(said)], []],
    ["need 25 in a row", [`${words(0, 20)} and ${words(20, 20)}`], [came(said)], []],
    ["don't go from one text to the next", [words(0, 20), words(20, 20)], [came(said)], []],
    ["are none where the recipient was on the mail", [said], [came(said, { had_by: [0] })], []],
    [
      "are none where the recipient was on another mail with them",
      [said],
      [came(said), came(`So: ${said}`, { had_by: [0] })],
      [],
    ],
    ["are told once of mails that have the same", [said], [came(said), came(said), came(words(10, 30))], [0]],
    [
      "are told of each mail that has others, however alike they begin",
      [`${said} ${said} ${words(100, 30)}`],
      [came(said), came(`${said} ${words(100, 30)}`)],
      [0, 1],
    ],
    [
      "are found beside those that the recipient has",
      [`${said} ${words(100, 30)}`],
      [came(said, { had_by: [0] }), came(words(100, 30))],
      [1],
    ],
    [
      "are none once the inbox wrote them",
      [said],
      [came(said, { at: "2026-10-01", own: true }), came(said)],
      [],
    ],
    [
      "are found if the inbox wrote them later",
      [said],
      [came(said, { at: "2026-11-02", own: true }), came(said)],
      [1],
    ],
    [
      "are none that three organisations wrote",
      [said],
      ["a.example", "b.example", "c.example"].map((organisation) => came(said, { organisation })),
      [],
    ],
    [
      "are found that two wrote, one of them twice",
      [said],
      ["a.example", "b.example", "a.example"].map((organisation) => came(said, { organisation })),
      [0],
    ],
    ["are found of mail that is gone", [said], [came(said, { texts: null })], [0]],
    ["are found of an attachment", [said], [came("See the file", { blocks: blocksOf([said]) })], [0]],
    ["count two characters as one where there are no blanks", ["亜".repeat(49)], [came("亜".repeat(60))], []],
    ["are found where there are no blanks", ["亜".repeat(50)], [came("亜".repeat(60))], [0]],
  ])("%s", (_, texts, sources, expected) => {
    const found = runsElsewhere({ texts, sources, recipients: 1 });
    expect(found.map(({ source }) => source)).toEqual(expected);
  });

  test("are found if one of several recipients doesn't have them", () => {
    const sources = [came(said, { had_by: [0] })];
    expect(runsElsewhere({ texts: [said], sources, recipients: 1 })).toEqual([]);
    expect(runsElsewhere({ texts: [`Hi ${said}`], sources, recipients: 2 })).toEqual([
      { source: 0, begins: words(0, 8) },
    ]);
  });
});

test("the cost grows with the length, also of one word again and again", async () => {
  for (const unit of ["a ", "the same ", "亜", "&#97; ", "a.", words(0, 100)]) {
    const cost = (chars: number) => {
      const text = unit.repeat(chars / unit.length);
      return measureThreadCpu(() => runsElsewhere({ texts: [text], sources: [came(text)], recipients: 2 }));
    };
    expect(await cost(200_000)).toBeLessThan(3_000);
  }
});
