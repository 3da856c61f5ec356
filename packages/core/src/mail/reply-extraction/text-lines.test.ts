import fc from "fast-check";
import { expect, test } from "vitest";
import { textLine } from "./line.ts";
import { textLines } from "./text-lines.ts";

const pieces = [
  ...[
    "Hello",
    "ΑΣ",
    "ΟΔΟΣ",
    "Σ",
    "İstanbul",
    "ISTANBUL",
    "I\u0307",
    "e\u0307",
    "straße",
    "你好",
    "𝔘𝔫𝔦",
    "\ud83d",
  ],
  ...[
    "٣",
    "१२",
    "ＡＢ",
    "\u00ad",
    "\u200b",
    "\u00a0",
    "\u2028",
    "\t",
    " ",
    "  ",
    "*",
    ">",
    "|",
    "<",
    ".",
    ",",
  ],
  ...["From:", "Von：", "---", "--", "-- ", "-", "On 4 April", "wrote:", "ada@a.example", "x".repeat(401)],
];
const line = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((words) => words.join(" "));
const text = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n", "\r"))
  .map(([lines, end]) => lines.join(end));

test("a line is the same whatever stands in the lines around it", () => {
  fc.assert(
    fc.property(text, (written) => {
      const apart = written.split(/\r\n|\r|\n/).flatMap(textLines);
      expect(textLines(written)).toEqual(apart);
      expect(apart).toEqual(apart.map((each) => textLine(each.text)));
    }),
    { numRuns: 2_000 },
  );
});

test("only the dotted capital I has another length in lower case", () => {
  const longer: string[] = [];
  for (let code = 0; code <= 0x10_ffff; code += 1) {
    const letter = String.fromCodePoint(code);
    if (letter.toLowerCase().length !== letter.length) longer.push(letter);
  }
  expect(longer).toEqual(["İ"]);
});
