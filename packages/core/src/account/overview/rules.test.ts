import { describe, expect, test } from "vitest";
import { LIMITS } from "../../catalogue/limits.ts";
import type { RefusalRecord } from "../../model/refusals.ts";
import { byNewestMail, oftenRefused, receivedAndSent, startOfDay } from "./rules.ts";

describe("the day", () => {
  test.each([
    ["UTC", "2026-11-28T04:30:59.999Z", "2026-11-28T00:00:00.000Z"],
    ["UTC", "2026-11-28T00:00:00.000Z", "2026-11-28T00:00:00.000Z"],
    ["Europe/Berlin", "2026-11-28T22:59:59.000Z", "2026-11-27T23:00:00.000Z"],
    ["Europe/Berlin", "2026-11-28T23:00:00.000Z", "2026-11-28T23:00:00.000Z"],
    ["Asia/Kathmandu", "2026-11-28T12:00:00.000Z", "2026-11-27T18:15:00.000Z"],
    ["Pacific/Kiritimati", "2026-11-28T12:00:00.000Z", "2026-11-28T10:00:00.000Z"],
    // Clocks that were put forward, and back, after midnight.
    ["Europe/Berlin", "2026-03-29T12:00:00.000Z", "2026-03-28T23:00:00.000Z"],
    ["Europe/Berlin", "2026-10-25T12:00:00.000Z", "2026-10-24T22:00:00.000Z"],
    ["Australia/Lord_Howe", "2026-10-03T20:00:00.000Z", "2026-10-03T13:30:00.000Z"],
    // There was no midnight: the clock went from 24:00 to 1:00.
    ["America/Santiago", "2026-09-06T15:00:00.000Z", "2026-09-06T04:00:00.000Z"],
  ])("of %s at %s began at %s", (zone, now, start) => {
    expect(startOfDay(new Date(now), zone).toISOString()).toBe(start);
  });
});

const cap = LIMITS.overview_counted_to;
test.each([
  [0, 0, 0],
  [5, 2, 3],
  [cap + 7, 7, cap],
  [2 * cap, 0, cap],
  // One was sent between the two counts.
  [2, 3, 0],
])("of %i messages of which %i were sent, %i were received", (all, sent, received) => {
  expect(receivedAndSent(all, sent)).toEqual({ received, sent });
});

describe("what is refused often", () => {
  const refused = (change: Partial<RefusalRecord>): RefusalRecord => ({
    ...{ id: "ref_1", account_id: "acc_1", caller_id: "key_1", minute: "m", status: 403 },
    ...{ first_at: "2026-11-28T04:00:00.000Z", last_at: "2026-11-28T04:00:00.000Z" },
    ...{ operation: "messages.send", code: "permission_denied", count: 1 },
    error: { type: "authentication_error", code: "permission_denied", param: null },
    ...{ key_id: "key_1", client_id: null, inbox_id: null, source: "http", request_id: "req_1" },
    ...change,
  });
  const seen = (records: RefusalRecord[]) =>
    oftenRefused(records).map(({ key_id, client_id, operation, code, count, last_at }) =>
      [key_id ?? client_id, operation, code, count, last_at.slice(11, 16)].join(" "),
    );

  test("is summed by caller, operation and error; the latest time counts", () => {
    expect(
      seen([
        refused({ count: 4 }),
        refused({ count: 5, last_at: "2026-11-28T05:00:00.000Z", inbox_id: "inb_1" }),
        refused({ count: 3, last_at: "2026-11-28T03:00:00.000Z" }),
        refused({ count: 9, code: "rate_limited" }),
        refused({ count: 9, operation: "drafts.send" }),
        refused({ count: 9, key_id: "key_2", caller_id: "key_2" }),
      ]),
    ).toEqual(["key_1 messages.send permission_denied 12 05:00"]);
  });

  test("is of an app whatever grant it used, most often first", () => {
    const app = { key_id: null, client_id: "app_1" };
    expect(
      seen([
        refused({ count: LIMITS.overview_refusals_from }),
        refused({ ...app, caller_id: "grt_1", count: 6 }),
        refused({ ...app, caller_id: "grt_2", count: 6 }),
      ]),
    ).toEqual([
      "app_1 messages.send permission_denied 12 04:00",
      "key_1 messages.send permission_denied 10 04:00",
    ]);
  });

  test("is at most so many, and one more to tell that there are more", () => {
    const many = Array.from({ length: LIMITS.overview_refusals + 2 }, (_, n) =>
      refused({ operation: `op.${n}`, count: 10 + n }),
    );
    expect(seen(many)).toHaveLength(LIMITS.overview_refusals + 1);
    expect(seen(many)[0]).toContain("op.11 permission_denied 21");
  });
});

test("inboxes with the newest mail come first, those without any last", () => {
  const inboxes = [null, "2026-11-27T00:00:00.000Z", null, "2026-11-28T00:00:00.000Z"];
  expect(
    inboxes
      .map((last_at) => ({ last_at }))
      .sort(byNewestMail)
      .map(({ last_at }) => last_at?.slice(8, 10)),
  ).toEqual(["28", "27", undefined, undefined]);
});
