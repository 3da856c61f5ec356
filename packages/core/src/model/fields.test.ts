import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createBase64Decoder } from "./base64.ts";
import { Base64, Base64Bytes, withFewKeys } from "./fields.ts";

const LONG = Buffer.alloc(3 * 1024 * 1024, "x").toString("base64");

/** A text as it is decoded while it comes, in pieces of `size` characters. */
function decoded(text: string, size: number) {
  const decoder = createBase64Decoder();
  for (let at = 0; at < text.length; at += size) decoder.push(text.slice(at, at + size));
  return decoder.end();
}

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
    const bytes = Buffer.from(text, "base64");
    expect(bytes.equals(Base64Bytes("invalid_attachment").parse(text))).toBe(true);
    for (const size of [text.length > 1_000 ? 65_537 : 1, 7_919, Number.MAX_SAFE_INTEGER]) {
      const file = decoded(text, size);
      expect(bytes.equals(Base64Bytes("invalid_attachment").parse(file))).toBe(true);
      expect([...file.texts()].join("") === text).toBe(true);
    }
  });

  test("takes memory as it comes", () => {
    const before = process.memoryUsage().arrayBuffers;
    const begun = Array.from({ length: 40 }, () => createBase64Decoder());
    for (const each of begun) each.push("aGV5");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * 100_000);
    for (const each of begun) expect(each.end().bytes).toHaveLength(3);
  });

  test("that stands for the same bytes in other letters keeps them", () => {
    for (const text of ["aA==", "aB==", `${LONG}aGU=`, `${LONG}aGV=`])
      expect([...decoded(text, 100_003).texts()].join("") === text).toBe(true);
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
    const given = [
      text,
      ...(typeof text === "string" ? [1, 3, 65_537].map((size) => decoded(text, size)) : []),
    ];
    const said = given.map((each) => Base64Bytes("invalid_attachment").safeParse(each).error?.issues);
    const issue = typeof text === "string" ? { message: "invalid_attachment" } : { code: "invalid_type" };
    expect(said).toMatchObject(given.map(() => [issue]));
  });
});

describe("a record of chosen keys", () => {
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 1]));
  let looked = 0;
  const record = withFewKeys(
    z.record(
      z.string().refine(() => {
        looked += 1;
        return true;
      }),
      z.number(),
    ),
    "invalid_metadata",
  );

  test("takes a thousand keys", () => {
    expect(record.parse(keys(1_000))).toEqual(keys(1_000));
  });

  test("of more keys is refused before any is looked at", () => {
    looked = 0;
    const { error } = record.safeParse(keys(1_001));
    expect([error?.issues[0]?.message, looked]).toEqual(["invalid_metadata", 0]);
  });

  test.each([null, [], "x", 1, undefined])("is not %j", (value) => {
    expect(record.safeParse(value).success).toBe(false);
  });
});
