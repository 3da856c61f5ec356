import { describe, expect, test } from "vitest";
import { Base64 } from "./fields.ts";

const LONG = Buffer.alloc(3 * 1024 * 1024, "x").toString("base64");

describe("Base64", () => {
  test.each([
    ["nothing", ""],
    ["three bytes", "aGV5"],
    ["two bytes", "aGU="],
    ["one byte", "aA=="],
    ["the last two signs", "+/+/"],
    ["megabytes", LONG],
    ["megabytes and a byte", `${LONG}aA==`],
  ])("takes %s", (_, text) => {
    expect(Base64("invalid_attachment").parse(text)).toBe(text);
  });

  test.each([
    ["no padding", "aGU"],
    ["too much padding", "a==="],
    ["padding alone", "===="],
    ["padding in the middle", "aA==aA=="],
    ["padding between megabytes", `aA==${LONG}`],
    ["a padded slice before another", `${LONG.slice(0, 1024 * 1024 - 4)}aA==${LONG}`],
    ["the alphabet of URLs", "-_-_"],
    ["a space", "aGV aGVh"],
    ["a line break", "aGV5\r\n\r\n"],
    ["another sign", "aGV*"],
    ["letters of other scripts", "aéaa"],
    ["one wrong sign in megabytes", `${LONG}aG!5${LONG}`],
    ["a number", 5],
  ])("refuses %s", (_, text) => {
    expect(Base64("invalid_attachment").safeParse(text).success).toBe(false);
  });
});
