import { describe, expect, test } from "vitest";
import { asTyped, fitted, jsonLine, lines, oneLine, padded, stylerFor, widthOf } from "./text.ts";

describe("a stranger's text", () => {
  test.each([
    ["colours", "\u001b[31mred\u001b[0m", " [31mred [0m"],
    ["a title of the window", "\u001b]0;owned\u0007x", " ]0;owned x"],
    ["control characters of 8 bits", "a\u009b31mb", "a 31mb"],
    ["lines", "a\r\nb\u2028c", "a b c"],
    ["text that turns around", "a\u202egnp.exe", "a gnp.exe"],
  ])("obeys nothing: %s", (_, text, shown) => {
    expect(oneLine(text)).toBe(shown.trim());
  });

  test("keeps its lines where they are meant", () => {
    expect(lines("a\r\nb\tc\u001b[2Jd\u202e")).toBe("a\nb\tc [2Jd ");
  });

  test("is safe as JSON, and the same when it is read", () => {
    const text = "\u001b\u009b\u202e\u2028é😀";
    expect(jsonLine({ text })).toMatch(/^[\x20-\x7eé😀]+$/u);
    expect(JSON.parse(jsonLine({ text }))).toEqual({ text });
  });
});

test.each([
  ["abc", 3],
  ["é", 1],
  ["e\u0301", 1],
  ["漢字", 4],
  ["😀", 2],
  ["", 0],
])("%j takes %i columns", (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test("a line is cut to its columns, and filled to them", () => {
  expect(fitted("abcdef", 6)).toBe("abcdef");
  expect(fitted("abcdefg", 6)).toBe("abcde…");
  expect(fitted("漢字漢字", 6)).toBe("漢字…");
  expect(padded("漢", 4)).toBe("漢  ");
});

test.each([
  ["a terminal", { isTTY: true }, {}, true],
  ["a pipe", { isTTY: false }, {}, false],
  ["NO_COLOR", { isTTY: true }, { NO_COLOR: "1" }, false],
  ["an empty NO_COLOR", { isTTY: true }, { NO_COLOR: "" }, true],
  ["a dumb terminal", { isTTY: true }, { TERM: "dumb" }, false],
])("colours: %s", (_, stream, env, coloured) => {
  expect(stylerFor(stream, env)("red", "x") !== "x").toBe(coloured);
});

test.each([
  [
    "Run letterslot init, or `letterslot login`.",
    "Run npx -y @letterslot/cli init, or `npx -y @letterslot/cli login`.",
  ],
  ["letterslot tasks list", "npx -y @letterslot/cli tasks list"],
  ["npm install @letterslot/cli adds letterslot.", "npm install @letterslot/cli adds letterslot."],
  ["config/letterslot is a folder", "config/letterslot is a folder"],
])("who runs it with npx can type the commands of: %s", (text, shown) => {
  expect(asTyped(text, { npm_lifecycle_event: "npx" })).toBe(shown);
  expect(asTyped(text, {})).toBe(text);
});
