import { describe, expect, test } from "vitest";
import { signedBy } from "../../../testing/build-mail.ts";
import type { DkimSignature } from "../../model/sender-facts.ts";
import { doubtOfDates, type OrderTimes } from "./order-dates.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.UTC(2026, 5, 1);
const [good] = signedBy("example.com").dkim as [DkimSignature];
const signedAt = (ms: number | null, change: Partial<DkimSignature> = {}): DkimSignature => ({
  ...good,
  ...change,
  signed_at: ms === null ? null : Math.floor(ms / 1000),
});
const YEAR_OLD: OrderTimes = { since: NOW - 365 * DAY, imported_at: null };
const judged = (
  date: number | null,
  {
    signatures = [good],
    aligned_spf = false,
    times = YEAR_OLD,
  }: { signatures?: DkimSignature[]; aligned_spf?: boolean; times?: OrderTimes } = {},
) => doubtOfDates({ date, aligned_spf, signatures }, times, NOW)?.reason ?? null;

describe("an order counts by its dates", () => {
  test.each<[string, Parameters<typeof judged>]>([
    ["dated now", [NOW]],
    ["by a clock that is 9 minutes ahead", [NOW + 9 * MINUTE, { signatures: [signedAt(NOW + 9 * MINUTE)] }]],
    ["by a clock that is almost a day ahead, without t=", [NOW + DAY]],
    ["put off for 3 days by greylisting", [NOW - 3 * DAY, { signatures: [signedAt(NOW - 3 * DAY)] }]],
    ["30 days old", [NOW - 30 * DAY]],
    [
      "written a minute before the owner was confirmed",
      [NOW, { times: { since: NOW + MINUTE, imported_at: null } }],
    ],
    ["10 minutes before that", [NOW, { times: { since: NOW + 10 * MINUTE, imported_at: null } }]],
    ["written after the import", [NOW, { times: { since: 0, imported_at: NOW } }]],
    ["where one of two signatures fits", [NOW, { signatures: [signedAt(NOW + DAY), signedAt(NOW)] }]],
    [
      "delivered by the author's own server, whatever its signatures say",
      [NOW, { aligned_spf: true, signatures: [signedAt(NOW + DAY)] }],
    ],
  ])("%s", (_what, given) => {
    expect(judged(...given)).toBeNull();
  });

  test.each<[string, Parameters<typeof judged>, string]>([
    ["a year old", [NOW - 364 * DAY], "too_old"],
    ["31 days old", [NOW - 31 * DAY], "too_old"],
    ["old, from the author's own server", [NOW - 31 * DAY, { aligned_spf: true }], "too_old"],
    ["without a readable Date", [null], "too_old"],
    ["with a Date that is no time", [Number.NaN], "too_old"],
    ["dated 2 days ahead", [NOW + 2 * DAY], "dated_ahead"],
    ["dated just over a day ahead", [NOW + DAY + 1], "dated_ahead"],
    ["signed 11 minutes ahead", [NOW, { signatures: [signedAt(NOW + 11 * MINUTE)] }], "dated_ahead"],
    ["signed 31 days ago for later", [NOW, { signatures: [signedAt(NOW - 31 * DAY)] }], "too_old"],
    [
      "dated before the sender was confirmed",
      [NOW, { times: { since: NOW + 11 * MINUTE, imported_at: null } }],
      "before_owner",
    ],
    [
      "signed before that",
      [NOW, { times: { since: NOW - MINUTE, imported_at: null }, signatures: [signedAt(NOW - DAY)] }],
      "before_owner",
    ],
    ["dated before an import", [NOW - 1, { times: { since: 0, imported_at: NOW } }], "before_owner"],
    [
      "whose only fitting signature doesn't count",
      [NOW, { signatures: [signedAt(NOW + DAY), signedAt(NOW, { key_testing: true })] }],
      "dated_ahead",
    ],
  ])("and not one %s", (_what, given, reason) => {
    expect(judged(...given)).toBe(reason);
  });
});
