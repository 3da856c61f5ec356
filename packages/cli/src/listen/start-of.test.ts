import { expect, test } from "vitest";
import { readStart } from "./start-of.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");

test.each([
  ["90s", { after: "2026-11-20T11:58:30.000Z" }],
  ["15m", { after: "2026-11-20T11:45:00.000Z" }],
  ["2h", { after: "2026-11-20T10:00:00.000Z" }],
  ["7d", { after: "2026-11-13T12:00:00.000Z" }],
  [" 2h ", { after: "2026-11-20T10:00:00.000Z" }],
  ["41", { after: "41" }],
  ["2026-11-20", { after: "2026-11-20T00:00:00.000Z" }],
  ["2026-11-20T10:00", { after: "2026-11-20T10:00:00.000Z" }],
  ["2026-11-20T10:00:00+02:00", { after: "2026-11-20T08:00:00.000Z" }],
  ["oldest", "oldest"],
  ["now", "now"],
])("%s is a start", (text, start) => {
  expect(readStart(text, NOW)).toEqual(start);
});

test.each(["", "yesterday", "2w", "-1h", "2026-13-40", "2026-11-20T25:00", "1234567d", "1e3"])(
  "%j is no start",
  (text) => {
    expect(readStart(text, NOW)).toBeUndefined();
  },
);
