import { expect, test } from "vitest";
import { mentionsIn, mentionsOf } from "./mentions.ts";

test.each([
  ["Write to drop@evil.example.", ["a:drop@evil.example", "d:evil.example"]],
  ["Write to drop [at] evil (dot) example now", ["a:drop@evil.example", "d:evil.example"]],
  ["Write to DROP @ evil . example now", ["a:drop@evil.example", "d:evil.example"]],
  ["drop at evil dot example", ["a:drop@evil.example", "d:evil.example"]],
  ["drop&#64;evil&period;example", ["a:drop@evil.example", "d:evil.example"]],
  ["ｄｒｏｐ＠ｅｖｉｌ．ｅｘａｍｐｌｅ", ["a:drop@evil.example", "d:evil.example"]],
  ["dr\u200bop@ev\u00adil.example", ["a:drop@evil.example", "d:evil.example"]],
  ["see https://files.evil.example/x?y=1", ["d:evil.example"]],
  ["somebody@gmail.com", ["a:somebody@gmail.com"]],
  ["call (415) 555-0199", ["n:+14155550199"]],
  ["call +1 415.555.0199 today", ["n:+14155550199"]],
  ["call four one five five five five oh one nine nine", ["n:+14155550199"]],
  ["call 0044 20 7946 0018", ["n:+442079460018"]],
  ["order 12345 of 2026-11-27", []],
  ["", []],
])("%j names %j", (text, named) => {
  expect([...mentionsIn([text])].sort()).toEqual([...named].sort());
});

test("tags within an address don't hide it", () => {
  expect([...mentionsIn(["<p>dr<b>op@ev</b>il.example</p>"], { markup: true })]).toContain(
    "a:drop@evil.example",
  );
});

test("a mail with many domains names none of them, but its addresses", () => {
  const many = Array.from({ length: 50 }, (_, at) => `x@number-${at}.example`).join(" ");
  expect([...mentionsIn([many])].filter((each) => each.startsWith("d:"))).toEqual([]);
  expect(mentionsIn([many])).toHaveLength(50);
});

test("a recipient is named by the address or the organisation, unless it is a public provider's", () => {
  expect(mentionsOf("Drop@files.evil.co.uk")).toEqual({
    exact: "a:drop@files.evil.co.uk",
    domain: "d:evil.co.uk",
  });
  expect(mentionsOf("drop@gmail.com")).toEqual({ exact: "a:drop@gmail.com", domain: undefined });
  expect(mentionsOf("+14155550199")).toEqual({ exact: "n:+14155550199", domain: undefined });
});

test("hostile text is read in time that grows with its length", () => {
  for (const unit of ["a.", "@", "a@", "[at]", "at ", "1 ", "one ", "<", "a at b dot ", "(", "a .", "&#"]) {
    const begun = performance.now();
    mentionsIn([unit.repeat(200_000 / unit.length)], { markup: true });
    expect(performance.now() - begun).toBeLessThan(3_000);
  }
});
