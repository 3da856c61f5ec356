import { expect, test } from "vitest";
import type { RefusalRecord } from "../../model/refusals.ts";
import { isAskedFor, isKept, keptParam, minuteOf, type RefusalFilter } from "./rules.ts";

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

test("the calls of a minute are one", () => {
  const call = { caller_id: "key_1", operation: "messages.send", code: "inbox_paused" };
  const of = (at: string) => minuteOf({ ...call, at });
  expect(of("2026-01-01T00:00:00.000Z")).toBe(of("2026-01-01T00:00:59.999Z"));
  expect(of("2026-01-01T00:00:59.999Z")).not.toBe(of("2026-01-01T00:01:00.000Z"));
});

const refusal: RefusalRecord = {
  id: "ref_1",
  first_at: "2026-01-01T00:00:00.000Z",
  last_at: "2026-01-01T00:00:30.000Z",
  operation: "messages.send",
  status: 403,
  error: { type: "authentication_error", code: "permission_denied", param: null },
  key_id: "key_1",
  client_id: null,
  inbox_id: "inb_1",
  source: "http",
  count: 1,
  request_id: "req_1",
  account_id: "acct_1",
  caller_id: "key_1",
  minute: "x",
};

test.each<[RefusalFilter, boolean]>([
  [{}, true],
  [{ status: 403, code: "permission_denied", operation: "messages.send" }, true],
  [{ key_id: "key_1", inbox_id: "inb_1", after: "2026-01-01T00:00:29.000Z" }, true],
  [{ status: 404 }, false],
  [{ code: "inbox_paused" }, false],
  [{ operation: "messages.list" }, false],
  [{ key_id: "key_2" }, false],
  [{ inbox_id: "inb_2" }, false],
  [{ after: "2026-01-01T00:00:30.000Z" }, false],
])("%j is met: %s", (asked, met) => {
  expect(isAskedFor(refusal, asked)).toBe(met);
});
