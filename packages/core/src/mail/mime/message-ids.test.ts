import { expect, test } from "vitest";
import { readMessageIds } from "./message-ids.ts";

test.each([
  ["letters", "a", 996],
  ["characters of three bytes", "\u4e2d", 332],
])("an identifier of %s has 998 bytes at most with its brackets", (_, letter, most) => {
  const longest = letter.repeat(most);
  expect(readMessageIds(`<${longest}>`)).toEqual([`<${longest}>`]);
  expect(readMessageIds(`<${longest}a>`)).toEqual([]);
});
