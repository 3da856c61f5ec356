import { expect, test } from "vitest";
import { noteNumbers, removingCodes } from "./codes.ts";
import { forEachNumber } from "./find-numbers.ts";

const found = (text: string, wanted = true): string[] => {
  const numbers: string[] = [];
  forEachNumber(text, (digits, _, shown) => shown === wanted && numbers.push(digits));
  return numbers;
};

test.each([
  ["alone", "The code is 733135."],
  ["beside letters", "code733135.txt"],
  ["in two halves", "733 135"],
  ["with a dash", "733-135"],
  ["in pairs", "73 31 35"],
  ["digit by digit", "7 3 3 1 3 5"],
  ["with a tag in it", "<b>733</b>135"],
  ["in the cells of a table", "<tr><td>7</td>\n<td>3</td><td>31</td><td>35</td>"],
  ["with a soft hyphen", "733\u00ad135"],
  ["with its entity", "7331&shy;35"],
  ["with zero-width characters", "7\u200b33\u200d13\ufeff5"],
  ["as entities", "&#55;&#x33;&amp;#51;135"],
  ["in full-width digits", "７３３１３５"],
  ["in Arabic-Indic digits", "٧٣٣١٣٥"],
  ["in Devanagari digits", "७३३१३५"],
  ["in mathematical digits", "\u{1d7d5}\u{1d7d1}\u{1d7d1}\u{1d7cf}\u{1d7d1}\u{1d7d3}"],
  ["over two quoted lines", "7331\n> > 35"],
  ["over a folded line", "73313\r\n 5"],
  ["as UTF-16 read byte by byte", [..."733135"].join("\0")],
])("a number %s is found", (_, text) => {
  expect(found(text)).toEqual(["733135"]);
});

test.each([
  ["longer", "1733135"],
  ["shorter", "73313"],
  ["of two words", "733 and 135"],
  ["unequally divided by what shows", "73 3135"],
  ["a time", "10:30:45"],
])("a number that is %s is none of six digits", (_, text) => {
  expect(found(text)).toEqual([]);
});

test("a colour and what a tag says are not shown", () => {
  const html = '<p style="color:#733135" data-x=111111>222222</p>';
  expect(found(html)).toEqual(["222222"]);
  expect(found(html, false)).toEqual(["733135", "111111"]);
});

test("also where it is percent-encoded or quoted-printable", () => {
  const numbers: string[] = [];
  const note = (digits: string) => numbers.push(digits);
  noteNumbers("https://x.example/%37%33%33135", "text", note);
  noteNumbers("73=\r\n31=335", "text", note);
  expect(new Set(numbers)).toEqual(new Set(["733135"]));
});

test("only what is to go is removed, and tags stay", () => {
  const all = removingCodes({ all: true, codes: [] });
  const one = removingCodes({ all: false, codes: ["733135"] });
  const html = "<b>733</b>135 and 222222, 1234567";
  expect(all(html, "html")).toBe("<b>[code removed]</b> and [code removed], 1234567");
  expect(one(html, "html")).toBe("<b>[code removed]</b> and 222222, 1234567");
  expect(all("<222222.733135@example.org>", "id")).toBe("<222222.733135@example.org>");
  expect(one("<222222.733135@example.org>", "id")).toBe("<222222.[code removed]@example.org>");
  expect(one("q=%3733135 =3733135", "text")).toBe("q=[code removed] [code removed]");
});

test.each(["<", "<a", "<!-- ", "&amp;", "1<a>", "1 ", "1\n>", "１", "=\n", "&#0"])(
  "a long text of %j takes linear time",
  (part) => {
    const timeOf = (chars: number): number => {
      const text = part.repeat(chars / part.length);
      // Of the processor, so that other processes don't count.
      const start = process.cpuUsage();
      forEachNumber(text, () => {});
      return process.cpuUsage(start).user / 1000;
    };
    timeOf(50_000);
    expect(timeOf(200_000)).toBeLessThan(16 * (timeOf(50_000) + 5));
  },
);
