import { expect, test } from "vitest";
import { shownTime, shownTimeWithYear } from "./shown-time.ts";

test.each([
  ["2026-11-27T18:32:00.000Z", "Friday 27 November, 18:32 UTC", "Friday 27 November 2026, 18:32 UTC"],
  ["2026-11-27T18:32:59.999Z", "Friday 27 November, 18:32 UTC", "Friday 27 November 2026, 18:32 UTC"],
  ["2026-01-01T00:00:00Z", "Thursday 1 January, 00:00 UTC", "Thursday 1 January 2026, 00:00 UTC"],
  ["2028-02-29T23:05:00Z", "Tuesday 29 February, 23:05 UTC", "Tuesday 29 February 2028, 23:05 UTC"],
  ["2026-11-27T01:30:00+02:00", "Thursday 26 November, 23:30 UTC", "Thursday 26 November 2026, 23:30 UTC"],
])("%s is %s, and with its year %s", (time, near, far) => {
  expect(shownTime(time)).toBe(near);
  expect(shownTimeWithYear(time)).toBe(far);
});
