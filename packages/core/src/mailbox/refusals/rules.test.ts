import { expect, test } from "vitest";
import { isKept, keptParam, minuteOf } from "./rules.ts";

test.each([
  [399, false],
  [400, true],
  [499, true],
  [500, false],
])("a refusal with status %i is kept: %s", (status, kept) => {
  expect(isKept(status)).toBe(kept);
});

test.each([
  [undefined, null],
  ["to", "to"],
  ["to[3]", "to"],
  ["budget.hours", "budget"],
  ["message_send", "message_send"],
  ["olga@owner.example", null],
  ["a secret as a field", null],
])("of the param %j, %j is kept", (param, kept) => {
  expect(keptParam(param, ["to", "budget"])).toBe(kept);
});

test("the calls of a minute at one inbox are one", () => {
  const call = { caller_id: "key_1", operation: "messages.send", code: "inbox_paused" };
  const of = (at: string, inbox_id: string | null = "inb_1") => minuteOf({ ...call, inbox_id, at });
  const at = "2026-01-01T00:00:00.000Z";
  expect(new Set([of(at), of(at, "inb_2"), of(at, null)]).size).toBe(3);
  expect(of("2026-01-01T00:00:00.000Z")).toBe(of("2026-01-01T00:00:59.999Z"));
  expect(of("2026-01-01T00:00:59.999Z")).not.toBe(of("2026-01-01T00:01:00.000Z"));
});
