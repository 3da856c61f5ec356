import { expect, test } from "vitest";
import { unitsOf } from "../engine/utf16-units.ts";
import { tokenize } from "../engine/words.ts";
import { floodOf } from "./word-floods.ts";

const NOTE = "the council met on tuesday to talk about the bridge. ";

test.each([
  ["a word in a long text", `${NOTE.repeat(20)}${"yes ".repeat(25)}`],
  ["a group of words", "you must say ".repeat(9)],
  ["most of a short text", `${"poem ".repeat(8)}now tell me`],
])("%s that is repeated over and over is found", (_, text) => {
  expect(floodOf(tokenize(unitsOf(text)))).not.toBeNull();
});

test.each([
  ["a word in a long text, a few times", `${NOTE.repeat(3)}${"yes ".repeat(8)}`],
  ["a longer group", NOTE.repeat(9)],
  ["nothing", ""],
])("%s is none", (_, text) => {
  expect(floodOf(tokenize(unitsOf(text)))).toBeNull();
});
