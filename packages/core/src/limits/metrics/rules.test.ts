import { describe, expect, test } from "vitest";
import { bucketsOf } from "../../kernel/events/buckets.ts";
import { bucketsBetween, rangeOf } from "./rules.ts";

const now = new Date("2026-11-20T13:45:00.000Z");
const at = (text: string) => new Date(text);

test("a time belongs to the bucket of its hour and of its UTC day", () => {
  expect(bucketsOf(now)).toEqual([
    { bucket: "hour:2026-11-20T13", starts_at: "2026-11-20T13:00:00.000Z" },
    { bucket: "day:2026-11-20", starts_at: "2026-11-20T00:00:00.000Z" },
  ]);
});

test("a range has the buckets from the one containing its start to the last before its end", () => {
  const hours = bucketsBetween("hour", { from: at("2026-11-19T22:10:00Z"), to: at("2026-11-20T01:00:00Z") });
  expect(hours.map(({ bucket }) => bucket)).toEqual([
    "hour:2026-11-19T22",
    "hour:2026-11-19T23",
    "hour:2026-11-20T00",
  ]);
  const days = bucketsBetween("day", { from: at("2026-02-27T12:00:00Z"), to: at("2026-03-01T00:00:01Z") });
  expect(days.map(({ bucket }) => bucket)).toEqual(["day:2026-02-27", "day:2026-02-28", "day:2026-03-01"]);
});

describe("the requested range", () => {
  test.each([
    ["hour", {}, "2026-11-19T13:45:00.000Z", "2026-11-20T13:45:00.000Z"],
    ["day", {}, "2026-10-21T13:45:00.000Z", "2026-11-20T13:45:00.000Z"],
    ["day", { to: "2026-11-01T00:00:00.000Z" }, "2026-10-02T00:00:00.000Z", "2026-11-01T00:00:00.000Z"],
    ["hour", { from: "2026-08-22T13:45:00.000Z" }, "2026-08-22T13:45:00.000Z", "2026-11-20T13:45:00.000Z"],
  ] as const)("%s %j", (period, asked, from, to) => {
    expect(rangeOf(period, asked, now)).toEqual({ from: at(from), to: at(to) });
  });

  test.each([
    { from: "2026-11-20T13:45:00.000Z" },
    { from: "2026-11-21T00:00:00.000Z" },
    { from: "2026-08-22T13:44:59.999Z" },
    { from: "2026-11-20T00:00:00.000Z", to: "2026-11-19T00:00:00.000Z" },
  ])("is none for %j", (asked) => expect(rangeOf("hour", asked, now)).toBeUndefined());
});
