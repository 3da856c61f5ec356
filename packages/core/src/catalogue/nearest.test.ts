import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

test.each([
  ["lsit", "list"],
  ["creat", "create"],
  ["INBOXES", "inboxes"],
  ["message", "messages"],
  ["inb", "inboxes"],
  ["zzzzzz", undefined],
])("%s was meant to be %s", (word, meant) => {
  expect(nearest(word, ["list", "create", "inboxes", "messages"])).toBe(meant);
});
