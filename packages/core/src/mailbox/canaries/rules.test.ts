import { describe, expect, test } from "vitest";
import { newCanaryWord } from "../../catalogue/letter-words.ts";
import { canaryWordsIn } from "../../mail/canary-words.ts";
import { checkMayChange, isTold, pausesSending, trippedFault } from "./rules.ts";

const one = newCanaryWord();
const other = newCanaryWord();
const bytes = (text: string) => new TextEncoder().encode(text);

describe("words in texts", () => {
  test.each<[string, (string | Uint8Array)[], string[]]>([
    ["none", ["Hello", "", bytes("Hello")], []],
    ["one, alone", [one], [one]],
    ["one within others", [`see x${one}y.`], [one]],
    ["one in capitals", [one.toUpperCase()], [one]],
    ["one after what seems to begin another", [`lsc${one}`], expect.arrayContaining([one]) as string[]],
    ["two, each once", [`${one} ${other}`, one], [one, other]],
    ["one in bytes", [bytes(`\u0000\u0001${one}`)], [one]],
    ["one in bytes, in capitals", [bytes(one.toUpperCase())], [one]],
    ["a wrong check character", [one.slice(0, -1) + (one.endsWith("a") ? "b" : "a")], []],
    ["too short", [one.slice(0, -1)], []],
  ])("%s", (_what, texts, found) => {
    expect(canaryWordsIn(texts)).toEqual(found);
  });

  test("are no more than a hundred", () => {
    expect(canaryWordsIn(Array.from({ length: 1_050 }, newCanaryWord))).toHaveLength(1_000);
  });
});

test("only a canary that outsiders don't know pauses sending", () => {
  expect(pausesSending({ spent_at: null })).toBe(true);
  expect(pausesSending({ spent_at: "2026-01-01T00:00:00.000Z" })).toBe(false);
});

test.each<[string | null, string, boolean]>([
  [null, "2026-01-01T00:00:00.000Z", true],
  ["2026-01-01T00:00:00.000Z", "2026-01-01T00:59:59.999Z", false],
  ["2026-01-01T00:00:00.000Z", "2026-01-01T01:00:00.000Z", true],
])("tripped at %s, at %s: a letter is %s", (tripped_at, now, told) => {
  expect(isTold({ tripped_at }, new Date(now))).toBe(told);
});

test("an inbox that a canary paused doesn't send", () => {
  expect(trippedFault({ sending_paused_at: null })).toBeNull();
  expect(trippedFault({ sending_paused_at: "2026-01-01T00:00:00.000Z" })).toEqual(
    expect.objectContaining({ code: "sending_paused", param: "canary" }),
  );
});

test.each([
  ["owner", true, false],
  ["owner", false, false],
  ["key", false, false],
  ["key", true, true],
  ["app", true, true],
] as const)("%s, with an authority %s: refused %s", (type, has_authority, refused) => {
  const check = () => checkMayChange({ type }, has_authority);
  if (refused) expect(check).toThrow(expect.objectContaining({ code: "owner_only" }));
  else expect(check).not.toThrow();
});

test("a canary is found wherever two windows of a file meet", () => {
  for (const at of [0, 524_288 - 3, 524_288 - 40, 524_288 - 1, 524_288, 1_048_000])
    expect(canaryWordsIn([Buffer.concat([Buffer.alloc(at), Buffer.from(one), Buffer.alloc(9)])])).toEqual([
      one,
    ]);
});
