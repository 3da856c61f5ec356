import { describe, expect, test } from "vitest";
import {
  disabling,
  enabling,
  isWithinReach,
  newlyReached,
  outcomeOf,
  previousSecretActive,
  type RetryPolicy,
  refusedHeader,
  rotation,
  secretHint,
  successChange,
} from "./rules.ts";

const now = new Date("2026-11-20T08:00:00.000Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const plain: RetryPolicy = { profile: "interface", retries: [5, 30] };
const durable: RetryPolicy = { profile: "durable", retries: [5, 300, 1800] };
const retry = (seconds: number) => ({ status: "retry", at: later(seconds) });
const succeeded = { status: "succeeded" };
const failed = { status: "failed", disable: false };

describe("an attempt", () => {
  test.each<[number | null, number | null, number, RetryPolicy, object]>([
    [200, null, 1, plain, succeeded],
    [204, null, 3, plain, succeeded],
    [299, null, 1, durable, succeeded],
    [199, null, 1, plain, failed],
    [301, null, 1, plain, failed],
    [404, null, 1, plain, failed],
    [410, null, 1, plain, { status: "failed", disable: true }],
    [429, 10, 1, plain, failed],
    [500, null, 1, plain, retry(5)],
    [502, null, 2, plain, retry(30)],
    [599, null, 3, plain, failed],
    [null, null, 1, plain, retry(5)],
    [null, null, 2, plain, retry(30)],
    [null, null, 3, plain, failed],
    [503, 60, 1, plain, retry(60)],
    [503, 2, 1, plain, retry(5)],
    [503, 100_000, 1, plain, retry(3600)],
    [503, null, 1, plain, retry(5)],
    [500, 60, 1, plain, retry(5)],
    [503, 60, 3, plain, failed],
    [410, null, 1, durable, { status: "failed", disable: true }],
    [429, null, 1, durable, retry(5)],
    [429, 120, 2, durable, retry(300)],
    [429, 600, 2, durable, retry(600)],
    [429, null, 4, durable, failed],
    [400, null, 1, durable, failed],
    [500, null, 3, durable, retry(1800)],
    [500, null, 1, { profile: "interface", retries: [] }, failed],
  ])(
    "answered %s with Retry-After %s as number %i",
    (status, retry_after_seconds, attempt, policy, outcome) => {
      expect(outcomeOf({ status, retry_after_seconds }, attempt, policy, now)).toEqual(outcome);
    },
  );
});

describe("a webhook is disabled", () => {
  const off = { enabled: false, disabled_at: now.toISOString(), disabled_reason: "consecutive_failures" };
  test.each([
    [19, false, undefined],
    [20, false, off],
    [21, false, off],
    [1, true, off],
  ])("after %i final failures in a row (at once: %s)", (consecutive_failures, disable, change) => {
    expect(disabling({ enabled: true, consecutive_failures }, disable, now)).toEqual(change);
  });

  test("only once", () => {
    expect(disabling({ enabled: false, consecutive_failures: 25 }, true, now)).toBeUndefined();
  });
});

test.each([
  [true, false, { enabled: false, disabled_at: now.toISOString(), disabled_reason: "manual" }],
  [false, true, { enabled: true, disabled_at: null, disabled_reason: null, consecutive_failures: 0 }],
  [true, true, {}],
  [false, false, {}],
  [true, undefined, {}],
])("enabled %s changed to %s", (enabled, to, change) => {
  expect(enabling({ enabled }, to, now)).toEqual(change);
});

test.each([
  ["the first ever", { consecutive_failures: 0, last_delivery_status: null, last_delivery_at: null }, true],
  [
    "another status",
    { consecutive_failures: 0, last_delivery_status: 500, last_delivery_at: later(0).toISOString() },
    true,
  ],
  [
    "after a failure",
    { consecutive_failures: 1, last_delivery_status: 200, last_delivery_at: later(0).toISOString() },
    true,
  ],
  [
    "a second later",
    { consecutive_failures: 0, last_delivery_status: 200, last_delivery_at: later(-1).toISOString() },
    true,
  ],
  [
    "the same within a second",
    { consecutive_failures: 0, last_delivery_status: 200, last_delivery_at: later(-0.9).toISOString() },
    false,
  ],
])("a success is written to its webhook or not: %s", (_, webhook, written) => {
  const change = { consecutive_failures: 0, last_delivery_status: 200, last_delivery_at: now.toISOString() };
  expect(successChange(webhook, 200, now)).toEqual(written ? change : undefined);
});

describe("secrets", () => {
  test("a rotation keeps the previous secret for 24 hours", () => {
    const change = rotation({ sealed_secret: "old" }, { sealed_secret: "new", secret_hint: "n…" }, now);
    expect(change).toEqual({
      sealed_secret: "new",
      secret_hint: "n…",
      sealed_previous_secret: "old",
      previous_secret_expires_at: "2026-11-21T08:00:00.000Z",
    });
    expect(previousSecretActive(change, later(24 * 3600 - 1))).toBe(true);
    expect(previousSecretActive(change, later(24 * 3600))).toBe(false);
  });

  test("a webhook that was never rotated has no previous secret", () => {
    expect(
      previousSecretActive({ sealed_previous_secret: null, previous_secret_expires_at: null }, now),
    ).toBe(false);
    expect(
      previousSecretActive({ sealed_previous_secret: "old", previous_secret_expires_at: null }, now),
    ).toBe(false);
  });

  test.each([
    [`whsec_${"aB3d".repeat(11)}`, "whsec_aB3d…"],
    ["a".repeat(24), "aaaa…"],
    ["short", "…"],
    ["whsec_short", "whsec_…"],
  ])("%s is shown as %s", (secret, hint) => {
    expect(secretHint(secret)).toBe(hint);
  });
});

describe("custom headers", () => {
  test.each<[Record<string, string>, string | undefined]>([
    [{}, undefined],
    [{ Authorization: "Bearer abc", "X-Team": "mail", "x-tab": "a\tb", "X-Latin": "é" }, undefined],
    [{ "X-A": "1", "X-B": "2", "X-C": "3", "X-D": "4", "X-E": "5" }, undefined],
    [{ "X-A": "1", "X-B": "2", "X-C": "3", "X-D": "4", "X-E": "5", "X-F": "6" }, "X-F"],
    [{ "X-Long": "x".repeat(1024) }, undefined],
    [{ "X-Long": "x".repeat(1025) }, "X-Long"],
    [{ "X-A": "1", "x-a": "2" }, "x-a"],
    [{ "Content-Type": "text/plain" }, "Content-Type"],
    [{ Host: "internal" }, "Host"],
    [{ Cookie: "a=b" }, "Cookie"],
    [{ "webhook-id": "1" }, "webhook-id"],
    [{ "Webhook-Signature": "1" }, "Webhook-Signature"],
    [{ "X-Svc-Signature": "1" }, "X-Svc-Signature"],
    [{ "x-svc-event": "1" }, "x-svc-event"],
    [{ "X-SVC-anything": "1" }, "X-SVC-anything"],
    [{ "X-": "1" }, "X-"],
    [{ "X-A B": "1" }, "X-A B"],
    [{ "X-A:": "1" }, "X-A:"],
    [{ "X-A\r\nX-B": "1" }, "X-A\r\nX-B"],
    [{ "X-Break": "a\r\nX-Svc-Event: b" }, "X-Break"],
    [{ "X-Nul": "a\u0000" }, "X-Nul"],
    [{ "X-Wide": "日本" }, "X-Wide"],
    [{ ["X-".padEnd(103, "a")]: "1" }, "X-".padEnd(103, "a")],
  ])("%j: refused is %s", (headers, refused) => {
    expect(refusedHeader(headers)).toBe(refused);
  });
});

test.each([
  [[], null, true],
  [["inb_1", "inb_2"], null, true],
  [["inb_1"], "inb_1", true],
  [["inb_2"], "inb_1", false],
  [["inb_1", "inb_2"], "inb_1", false],
  [[], "inb_1", false],
])("a webhook of %j is within the scope %s: %s", (inbox_ids, scope, within) => {
  expect(isWithinReach({ inbox_ids }, scope === null ? null : [scope])).toBe(within);
});

test.each([
  [
    "another address",
    { url: "https://b.example/", inbox_ids: undefined, headers: "same" },
    ["inb_1"],
    ["inb_1"],
  ],
  ["other headers", { url: undefined, inbox_ids: undefined, headers: "other" }, ["inb_1"], ["inb_1"]],
  ["the same", { url: undefined, inbox_ids: undefined, headers: "same" }, ["inb_1"], undefined],
  ["one inbox of all", { url: undefined, inbox_ids: ["inb_1"], headers: "same" }, [], undefined],
  ["all inboxes", { url: undefined, inbox_ids: [], headers: "same" }, ["inb_1"], []],
  [
    "a further inbox",
    { url: undefined, inbox_ids: ["inb_1", "inb_2"], headers: "same" },
    ["inb_1"],
    ["inb_2"],
  ],
  ["fewer inboxes", { url: undefined, inbox_ids: ["inb_1"], headers: "same" }, ["inb_1", "inb_2"], undefined],
] as const)("a webhook changed to %s newly reaches", (_, asked, inbox_ids, reached) => {
  expect(newlyReached({ url: "https://a.example/", inbox_ids: [...inbox_ids] }, asked)).toEqual(reached);
});
