import fc from "fast-check";
import { expect, test } from "vitest";
import { quotedStrings, stringsOf, textOfStrings } from "./text-values.ts";

test.each([
  ["", '""'],
  ["v=spf1 -all", '"v=spf1 -all"'],
  ['say "hi" \\ bye', '"say \\"hi\\" \\\\ bye"'],
  ["é;\n", '"\\195\\169;\\010"'],
  ["x".repeat(256), `"${"x".repeat(255)}" "x"`],
])("the text %j is written as %s, and read back", (text, quoted) => {
  expect(quotedStrings(text)).toBe(quoted);
  expect(textOfStrings(quoted)).toBe(text);
});

test.each([
  ["without quotes", "without quotes"],
  ['"one" "two"', "onetwo"],
  ['"one""two"', "onetwo"],
  ['"not closed', ""],
  ['"\\999"', Buffer.from([999 & 0xff]).toString("utf8")],
])("the content %j is the text %j", (content, text) => expect(textOfStrings(content)).toBe(text));

test("any text comes back as it was, in strings of at most 255 bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 700 }), (text) => {
      expect(textOfStrings(quotedStrings(text))).toBe(text.isWellFormed() ? text : text.toWellFormed());
      expect(stringsOf(text).every(({ length }) => length <= 255)).toBe(true);
    }),
  );
});
