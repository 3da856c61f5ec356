import { expect, test } from "vitest";
import { listJson } from "./list-json.ts";

const text = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

test.each([
  ["nothing", []],
  ["one item", [{ id: "a" }]],
  ["several scripts", [{ text: "größe" }, { text: "привет" }, { text: "😀 東京" }, "x", null, 3]],
  ["half a surrogate pair", [{ text: "\ud83d" }]],
  [
    "items that do not fit into the buffer together",
    Array.from({ length: 9 }, (_, index) => ({ text: "é".repeat(90_000 + index) })),
  ],
  ["an item that is larger than the buffer", [{ text: "a" }, { text: "語".repeat(400_000) }, { text: "b" }]],
])("a list of %s is the same as from JSON.stringify", (_, data) => {
  const list = { object: "list", data, has_more: false, next_cursor: null, absent: undefined };
  expect(JSON.parse(text(listJson(list)))).toEqual(JSON.parse(JSON.stringify(list)));
});

test("an encoded list does not change when the next is encoded", () => {
  const first = listJson({ data: ["first"] });
  listJson({ data: ["second"] });
  expect(text(first)).toBe('{"data":["first"]}');
});
