import { describe, expect, test } from "vitest";
import type { Budget } from "../../model/budgets.ts";
import {
  allOpenFrom,
  type BudgetChanger,
  checkDomains,
  checkHours,
  checkMayChangeBudget,
  endOfDay,
  isOpen,
  nextOpening,
  overLimit,
} from "./rules.ts";

const hoursOf = (line: string) => {
  const [from = "", to = "", time_zone = ""] = line.split(" ");
  return { from, to, time_zone };
};
const at = (time: string) => new Date(`${time}Z`);
const utc = (time: Date) => time.toISOString().slice(0, 19);

const OFFICE = "09:00 17:30 Europe/Berlin";
const NIGHT = "22:00 06:00 Europe/Berlin";

// Berlin is an hour ahead of UTC in winter and two in summer: from 29 March to 25 October 2026.
test.each([
  [OFFICE, "2026-01-05T07:59:59", false],
  [OFFICE, "2026-01-05T08:00:00", true],
  [OFFICE, "2026-01-05T16:29:59", true],
  [OFFICE, "2026-01-05T16:30:00", false],
  [OFFICE, "2026-07-06T07:00:00", true],
  [OFFICE, "2026-07-06T15:30:00", false],
  [NIGHT, "2026-01-05T20:59:59", false],
  [NIGHT, "2026-01-05T21:00:00", true],
  [NIGHT, "2026-01-05T23:00:00", true],
  [NIGHT, "2026-01-06T04:59:59", true],
  [NIGHT, "2026-01-06T05:00:00", false],
  ["09:00 00:00 UTC", "2026-01-05T23:59:59", true],
  ["09:00 00:00 UTC", "2026-01-06T00:00:00", false],
  ["00:00 09:00 UTC", "2026-01-06T00:00:00", true],
  ["09:00 17:00 America/Los_Angeles", "2026-01-05T16:59:00", false],
  ["09:00 17:00 America/Los_Angeles", "2026-01-05T17:00:00", true],
  ["09:00 17:00 Asia/Kathmandu", "2026-01-05T03:14:59", false],
  ["09:00 17:00 Asia/Kathmandu", "2026-01-05T03:15:00", true],
  ["09:00 17:00 Pacific/Kiritimati", "2026-01-04T19:00:00", true],
])("the hours %s hold at %s UTC: %s", (hours, time, open) => {
  expect(isOpen(hoursOf(hours), at(time))).toBe(open);
});

test.each([
  [OFFICE, "2026-01-05T07:59:59", "2026-01-05T08:00:00"],
  [OFFICE, "2026-01-05T16:30:00", "2026-01-06T08:00:00"],
  // At their beginning, the next one is tomorrow's.
  [OFFICE, "2026-01-05T08:00:00", "2026-01-06T08:00:00"],
  [OFFICE, "2026-01-31T20:00:00", "2026-02-01T08:00:00"],
  [OFFICE, "2026-12-31T20:00:00", "2027-01-01T08:00:00"],
  [OFFICE, "2028-02-28T20:00:00", "2028-02-29T08:00:00"],
  ["the night before clocks go forward", "2026-03-28T20:00:00", "2026-03-29T07:00:00"],
  ["the night before clocks go back", "2026-10-24T20:00:00", "2026-10-25T08:00:00"],
  // Half past two doesn't exist on 29 March: those hours begin at three, when the hour was left out.
  ["02:30 04:00 Europe/Berlin", "2026-03-28T12:00:00", "2026-03-29T01:00:00"],
  // Hours that the clock leaves out altogether begin on the next day.
  ["02:10 02:50 Europe/Berlin", "2026-03-28T12:00:00", "2026-03-30T00:10:00"],
  // Half past two comes twice on 25 October: the first one counts, and the second after it.
  ["02:30 04:00 Europe/Berlin", "2026-10-24T12:00:00", "2026-10-25T00:30:00"],
  ["02:30 04:00 Europe/Berlin", "2026-10-25T01:10:00", "2026-10-25T01:30:00"],
  ["03:30 04:00 Europe/Berlin", "2026-10-24T23:00:00", "2026-10-25T02:30:00"],
  [NIGHT, "2026-01-31T12:00:00", "2026-01-31T21:00:00"],
  ["09:00 17:00 Australia/Lord_Howe", "2026-10-03T10:00:00", "2026-10-03T22:00:00"],
])("hours %s, after %s UTC, open at %s", (hours, time, opening) => {
  const opened = nextOpening(hoursOf(hours.includes(" clocks ") ? OFFICE : hours), at(time));
  expect(utc(opened)).toBe(opening);
});

describe("budgets of several keys", () => {
  const withHours = (...lines: string[]) =>
    lines.map((line, index) => ({ id: `key_${index}`, budget: { hours: hoursOf(line) } }));
  test.each([
    [[], "2026-01-05T07:00:00", "2026-01-05T07:00:00"],
    [["09:00 17:00 UTC"], "2026-01-05T10:00:30", "2026-01-05T10:00:30"],
    [["09:00 17:00 UTC", "12:00 20:00 UTC"], "2026-01-05T10:00:00", "2026-01-05T12:00:00"],
    [["09:00 17:00 UTC", "12:00 20:00 UTC"], "2026-01-05T18:00:00", "2026-01-06T12:00:00"],
  ])("with the hours %j are open from %s UTC at %s", (lines, from, open) => {
    expect(utc(allOpenFrom(withHours(...lines), at(from)))).toBe(open);
  });

  test("whose hours never meet don't search forever", () => {
    const never = withHours("09:00 10:00 UTC", "11:00 12:00 UTC");
    expect(allOpenFrom(never, at("2026-01-05T10:30:00")).getTime()).toBeGreaterThan(0);
  });
});

test.each([
  ["2026-01-31T23:59:59", "2026-02-01T00:00:00"],
  ["2026-02-28T00:00:00", "2026-03-01T00:00:00"],
  ["2028-02-28T12:00:00", "2028-02-29T00:00:00"],
  ["2026-12-31T12:00:00", "2027-01-01T00:00:00"],
])("the day of %s ends at %s", (now, end) => {
  expect(utc(endOfDay(at(now)))).toBe(end);
});

describe("domains", () => {
  const only = (...recipient_domains: string[]) => [{ id: "key_1", budget: { recipient_domains } }];
  const mail = (to: string[], cc: string[] = [], bcc: string[] = []) => ({ to, cc, bcc });
  test.each([
    ["no budget", [], mail(["x@anywhere.example"])],
    ["the domain", only("example.com"), mail(["Ada@Example.COM"])],
    ["one of several", only("example.com", "example.org"), mail(["a@example.org"], ["b@example.com"])],
    ["an international domain", only("xn--bcher-kva.example"), mail(["a@bücher.example"])],
  ])("let through what they allow: %s", (_, budgeted, given) => {
    expect(() => checkDomains(budgeted, given)).not.toThrow();
  });

  test.each([
    ["another domain", only("example.com"), mail(["a@example.org"]), "to"],
    ["a subdomain", only("example.com"), mail(["a@sub.example.com"]), "to"],
    ["a domain that ends alike", only("example.com"), mail(["a@notexample.com"]), "to"],
    ["one of several", only("example.com"), mail(["a@example.com", "b@example.org"]), "to"],
    ["cc", only("example.com"), mail(["a@example.com"], ["b@example.org"]), "cc"],
    ["bcc", only("example.com"), mail(["a@example.com"], [], ["b@example.org"]), "bcc"],
    ["one that another budget allows", [...only("b.com"), ...only("a.com")], mail(["x@b.com"]), "to"],
  ])("refuse %s", (_, budgeted, given, param) => {
    expect(() => checkDomains(budgeted, given)).toThrow(
      expect.objectContaining({ code: "recipient_outside_budget", param }),
    );
  });
});

test("what leaves outside the hours is refused until they open", () => {
  const budgeted = [{ id: "key_1", budget: { hours: hoursOf(OFFICE) } }];
  const now = at("2026-01-05T12:00:00");
  expect(() => checkHours(budgeted, now, now)).not.toThrow();
  expect(() => checkHours(budgeted, at("2026-01-05T18:00:00"), now)).toThrow(
    expect.objectContaining({
      code: "budget_exceeded",
      param: "hours",
      resets_at: "2026-01-06T08:00:00.000Z",
      retry_after_seconds: 20 * 3600,
    }),
  );
});

test.each([
  [undefined, "2026-01-06T00:00:00.000Z"],
  [OFFICE, "2026-01-06T08:00:00.000Z"],
  [NIGHT, "2026-01-06T00:00:00.000Z"],
])("what is over a day's limit may leave on the next day, within the hours %s", (hours, resets_at) => {
  const budget: Budget = { sends_per_day: 3, ...(hours === undefined ? {} : { hours: hoursOf(hours) }) };
  const key = { id: "key_1", budget };
  const error = overLimit([key], key, "sends_per_day", at("2026-01-05T12:00:00"));
  expect(error).toMatchObject({ code: "budget_exceeded", param: "sends_per_day", resets_at });
});

describe("a budget", () => {
  const key = (id: string, budget: Budget | null = null) => ({ id, budget });
  const by = (...lineage: { id: string; budget: Budget | null }[]): BudgetChanger => ({
    type: "key",
    lineage,
  });
  const some = { sends_per_day: 1 };
  test.each<[string, BudgetChanger]>([
    ["an account owner", { type: "owner", account_owner: true }],
    ["the key that created it", by(key("key_root"))],
    ["a key of another line", by(key("key_other"), key("key_root"))],
  ])("may be changed by %s", (_, changer) => {
    expect(() => checkMayChangeBudget(changer, "key_1")).not.toThrow();
  });

  test.each<[string, BudgetChanger]>([
    ["the key itself", by(key("key_1"), key("key_root"))],
    ["a key that it created", by(key("key_2"), key("key_1"), key("key_root"))],
    ["a key with a budget", by(key("key_other", some), key("key_root"))],
    ["a key that descends from one with a budget", by(key("key_other"), key("key_root", some))],
    ["an inbox's owner", { type: "owner", account_owner: false }],
    ["an app", { type: "app" }],
  ])("may not be changed by %s", (_, changer) => {
    expect(() => checkMayChangeBudget(changer, "key_1")).toThrow(
      expect.objectContaining({ code: "permission_denied" }),
    );
  });
});
