import { expect, test } from "vitest";
import { countsFrom, countsIn, countsNow, mustConfirm } from "./rules.ts";

const now = new Date("2026-01-02T00:00:00.000Z");
const early = "2026-01-01T00:00:00.000Z";
const late = "2026-01-03T00:00:00.000Z";

test.each([
  [true, "2026-01-02T00:00:00.000Z"],
  [false, "2026-01-03T00:00:00.000Z"],
])("a passkey that an older one confirmed (%s) counts from %s", (confirmed, from) => {
  expect(countsFrom(confirmed, now)).toBe(from);
});

test.each([
  [early, true],
  [now.toISOString(), true],
  [late, false],
])("one that counts from %s counts now: %s", (counts_from, counts) => {
  expect(countsNow({ counts_from }, now)).toBe(counts);
});

test.each<[string, string, (string | null)[], boolean]>([
  ["without an authority", early, [], true],
  ["whose counting nobody ended", early, [null], true],
  ["whose time hasn't come", late, [null], false],
  ["whose counting was ended after it was added", early, [now.toISOString()], false],
  ["whose counting was ended as it was added", early, [early], false],
  ["added after the counting of others was ended", early, ["2025-12-31T00:00:00.000Z"], true],
  ["whose counting one of two authorities ended", early, [null, now.toISOString()], false],
])("one %s", (_, counts_from, ends, counts) => {
  const authorities = ends.map((passkeys_off_at) => ({ passkeys_off_at }));
  expect(countsIn({ counts_from, created_at: early }, authorities, now)).toBe(counts);
});

test.each([
  [false, 0, false],
  [false, 1, false],
  [true, 0, false],
  [true, 1, true],
])("where an inbox asks (%s) and %i count, an older one must confirm: %s", (asking, counting, must) => {
  expect(mustConfirm(asking, counting)).toBe(must);
});
