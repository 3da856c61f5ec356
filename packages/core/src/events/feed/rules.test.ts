import { describe, expect, test } from "vitest";
import { AfterInput, FeedWait, shows, startOf, TypesInput } from "./rules.ts";

describe("where to start", () => {
  test.each([
    ["0", { sequence: 0 }],
    ["42", { sequence: 42 }],
    ["2026-01-01T00:00:00Z", { after: new Date("2026-01-01T00:00:00Z") }],
    ["2026-01-01T01:00:00.5+01:00", { after: new Date("2026-01-01T00:00:00.500Z") }],
    ["2026-01-01", { after: new Date("2026-01-01T00:00:00Z") }],
  ])("%s is understood", (word, start) => {
    expect(startOf(word)).toEqual(start);
    expect(AfterInput.parse(word)).toEqual(start);
  });

  test.each([
    "",
    "-1",
    "1.5",
    "abc",
    "1e3",
    "9999999999999999",
    "2026-02-30",
    "2026-13-01T00:00:00Z",
    "x".repeat(65),
  ])("%j is invalid_cursor", (word) => {
    expect(AfterInput.safeParse(word).error?.issues).toMatchObject([{ message: "invalid_cursor" }]);
  });
});

describe("types in a query", () => {
  test.each([
    [undefined, []],
    ["message.sent", ["message.sent"]],
    ["message.sent,task.received", ["message.sent", "task.received"]],
    [
      ["message.sent", "task.received,message.sent"],
      ["message.sent", "task.received"],
    ],
  ])("%j is %j", (words, types) => expect(TypesInput.parse(words)).toEqual(types));

  test.each(["", "message.read", "message.sent,", ["message.sent", "x"], 7])(
    "%j is invalid_event_type",
    (words) => {
      expect(TypesInput.safeParse(words).error?.issues[0]?.message).toBe("invalid_event_type");
    },
  );
});

test("a wait is capped at 25 seconds; a negative or fractional one is invalid_wait", () => {
  expect([undefined, 0, 25, 26, 3600].map((seconds) => FeedWait.parse(seconds))).toEqual([0, 0, 25, 25, 25]);
  for (const seconds of [-1, 1.5, Number.NaN])
    expect(FeedWait.safeParse(seconds).error?.issues[0]?.message).toBe("invalid_wait");
});

test.each([
  [{ types: [], inbox_ids: undefined }, true],
  [{ types: ["message.sent"], inbox_ids: undefined }, true],
  [{ types: ["task.received"], inbox_ids: undefined }, false],
  [{ types: [], inbox_ids: ["inb_1"] }, true],
  [{ types: [], inbox_ids: ["inb_2"] }, false],
  [{ types: ["message.sent"], inbox_ids: ["inb_1"] }, true],
] as const)("%j shows a sent message of inbox 1: %s", (filter, shown) => {
  expect(shows(filter, { type: "message.sent", inbox_id: "inb_1" })).toBe(shown);
});
