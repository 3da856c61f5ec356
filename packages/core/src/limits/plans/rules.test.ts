import { describe, expect, test } from "vitest";
import { Plans } from "../../catalogue/plans.ts";
import {
  fitsStorage,
  megabytesOf,
  monthlySendsOf,
  monthOf,
  planLimitExceeded,
  planNamed,
  usageNotices,
  voiceMinutesOf,
} from "./rules.ts";

const plans = Plans.parse({
  default: "free",
  plans: { free: { inboxes: 3, monthly_sends: 100, owner_bonus_percent: 50 }, pro: {} },
});

describe("the plan of an account", () => {
  test.each([
    ["no plan of its own", null, "free"],
    ["its own", "pro", "pro"],
    ["one that the file no longer names", "gone", "free"],
    ["one named like a property of every object", "constructor", "free"],
  ])("%s", (_, name, expected) => {
    expect(planNamed(plans, name)?.name).toBe(expected);
  });

  test("there is none without plans", () => expect(planNamed(null, "pro")).toBeUndefined());

  test("what a plan leaves out has no limit", () => {
    expect(planNamed(plans, "pro")?.quotas).toMatchObject({ inboxes: null, monthly_sends: null });
  });
});

describe("recipients a month", () => {
  test.each([
    ["without an owner", 100, 50, false, 100],
    ["with a verified owner", 100, 50, true, 150],
    ["rounded down", 15, 50, true, 22],
    ["no bonus in the plan", 100, null, true, 100],
    ["nothing stays nothing", 0, 50, true, 0],
    ["no limit stays none", null, 50, true, null],
  ])("%s", (_, monthly_sends, owner_bonus_percent, owned, expected) => {
    const quotas = { ...Plans.parse({ default: "a", plans: { a: {} } }).plans["a"], monthly_sends };
    expect(monthlySendsOf({ ...quotas, owner_bonus_percent } as never, owned)).toBe(expected);
  });

  test.each([
    ["2026-01-31T23:59:59.999Z", "2026-01"],
    ["2026-02-01T00:00:00.000Z", "2026-02"],
    ["2026-12-31T23:59:59.999Z", "2026-12"],
  ])("%s is in %s", (time, month) => expect(monthOf(new Date(time))).toBe(month));
});

describe("minutes of calls a month: besides those of numbers, for each number, included numbers", () => {
  test.each([
    ["Free has none", 0, 0, 0, 2, 0],
    ["Starter without a number", 0, 30, 0, 0, 0],
    ["Starter with two", 0, 30, 0, 2, 60],
    ["Pro with the included three", 300, 30, 3, 3, 300],
    ["Pro with fewer", 300, 30, 3, 1, 300],
    ["Pro with five", 300, 30, 3, 5, 360],
    ["a plan that limits neither", null, null, null, 5, null],
    ["a plan that leaves out those of numbers", 100, null, null, 5, 100],
    ["a plan that leaves out all but those", null, 30, null, 5, 150],
  ])("%s", (_, voice_minutes, voice_minutes_per_number, included_numbers, numbers, expected) => {
    const quotas = { voice_minutes, voice_minutes_per_number, included_numbers };
    expect(voiceMinutesOf(quotas as never, numbers)).toBe(expected);
  });
});

describe("megabytes", () => {
  test.each([
    [0, 0],
    [1, 1],
    [1024 * 1024, 1],
    [1024 * 1024 + 1, 2],
    [-5, 0],
  ])("%i bytes are %i", (bytes, megabytes) => expect(megabytesOf(bytes)).toBe(megabytes));

  test.each([
    [0, 1024 * 1024, 1, true],
    [1, 1024 * 1024, 1, false],
    [2 * 1024 * 1024, 0, 1, false],
  ])("%i bytes and %i more in %i MB: %s", (bytes, more, limit, fits) =>
    expect(fitsStorage(bytes, more, limit)).toBe(fits),
  );
});

describe("notices of use", () => {
  test.each([
    ["just below 80 %", 79, 100, []],
    ["80 %", 80, 100, ["usage_high"]],
    ["the last one is left", 99, 100, ["usage_high"]],
    ["all of it", 100, 100, ["usage_full"]],
    ["more than all of it, after a smaller plan", 120, 100, ["usage_full"]],
    ["nothing used of nothing", 0, 0, []],
    ["without a limit", 1_000_000, null, []],
    ["4 of 5", 4, 5, ["usage_high"]],
  ])("%s", (_, used, limit, codes) => {
    expect(usageNotices({ inboxes: { used, limit } }).map(({ code }) => code)).toEqual(codes);
  });

  test("a notice says what is used, and what to do", () => {
    expect(usageNotices({ monthly_sends: { used: 80, limit: 100 } })).toEqual([
      {
        code: "usage_high",
        resource: "monthly_sends",
        used: 80,
        limit: 100,
        message:
          "80 of 100 recipients a month are used. Wait for the first of next month (UTC), or get a larger plan.",
      },
    ]);
  });
});

test.each([
  ["https://example.com/plans", "get a larger plan at upgrade_url"],
  [null, "ask the operator of the service for a larger plan"],
])("what is refused says what to do, with the page %s", (upgrade_url, advice) => {
  const quota = { resource: "inboxes" as const, limit: 3, used: 3, upgrade_url };
  const refused = planLimitExceeded(quota);
  expect(refused).toMatchObject({ code: "plan_limit_exceeded", kind: "payment", quota });
  expect(refused.message).toBe("The account's plan allows 3 inboxes, and 3 are used.");
  expect(refused.fix).toContain(advice);
});
