import { describe, expect, test } from "vitest";
import type { ApprovalRecord } from "../../model/approvals.ts";
import {
  checkCodeOpen,
  checkRoom,
  type EndFacts,
  endOf,
  type MailFacts,
  noteOf,
  rejectedUntil,
  whyNot,
} from "./rules.ts";

const NOW = "2026-01-10T00:00:00.000Z";
const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const bo = "bo@elsewhere.example";
const others = (count: number, status: "pending" | "verified" | "failed") =>
  Array.from({ length: count }, (_, at) => ({ email: `other${at}@elsewhere.example`, status }));

test.each([
  ["the first", [], undefined],
  ["the fifth", others(4, "verified"), undefined],
  ["a sixth", others(5, "pending"), "forwarding_limit"],
  ["one beside five that failed", others(5, "failed"), undefined],
  [
    "one that is pending, again",
    [...others(4, "verified"), { email: bo, status: "pending" as const }],
    undefined,
  ],
  [
    "one that failed, again, where there is no room",
    [...others(5, "verified"), { email: bo, status: "failed" as const }],
    "forwarding_limit",
  ],
  ["one that is verified", [{ email: bo, status: "verified" as const }], "forwarding_exists"],
])("room for %s", (_what, forwardings, code) => {
  expect(codeOf(() => checkRoom(forwardings, bo))).toBe(code);
});

describe("an address that a person said no to", () => {
  const rejected = (more: Partial<ApprovalRecord> = {}) =>
    ({
      ...{ subject_type: "forwarding_add", change: { email: bo }, imported: false },
      ...{ decided_at: "2026-01-09T12:00:00.000Z", ...more },
    }) as ApprovalRecord;
  test.each([
    ["lately", [rejected()], "2026-01-10T12:00:00.000Z"],
    ["twice", [rejected({ decided_at: "2026-01-09T10:00:00.000Z" }), rejected()], "2026-01-10T12:00:00.000Z"],
    ["a day ago", [rejected({ decided_at: "2026-01-09T00:00:00.000Z" })], undefined],
    ["at a time nobody knows", [rejected({ decided_at: null })], undefined],
    ["elsewhere", [rejected({ imported: true })], undefined],
    ["for another address", [rejected({ change: { email: "x@y.example" } })], undefined],
    ["about something else", [rejected({ subject_type: "owner_add" })], undefined],
    ["never", [], undefined],
  ])("%s", (_what, approvals, until) => {
    expect(rejectedUntil(approvals, bo, new Date(NOW))?.toISOString()).toBe(until);
  });
});

test.each([
  ["pending", "sealed", 4, undefined],
  ["pending", "sealed", 5, "confirm_locked"],
  ["pending", null, 0, "forwarding_code_invalid"],
  ["failed", "sealed", 0, "forwarding_code_invalid"],
] as const)("a code of one that is %s (%s, %i tries): %s", (status, code_hash, code_tries, code) => {
  expect(codeOf(() => checkCodeOpen({ status, code_hash, code_tries }))).toBe(code);
});

describe("the end", () => {
  const pending = {
    status: "pending" as const,
    expires_at: "2026-01-11T00:00:00.000Z",
    hard_bounces: 0,
    decided_by: null,
  };
  const verified = {
    ...pending,
    status: "verified" as const,
    expires_at: NOW,
    decided_by: "grace@family.example",
  };
  const facts: EndFacts = { now: NOW, asked: null, in_charge: ["grace@family.example"], is_outside: true };
  test.each([
    ["pending, in time", pending, facts, undefined],
    ["pending, asked", pending, { ...facts, asked: "pending" as const }, undefined],
    ["pending, too late", { ...pending, expires_at: NOW }, facts, "expired"],
    ["pending, rejected", pending, { ...facts, asked: "rejected" as const }, "rejected"],
    ["pending, request expired", pending, { ...facts, asked: "expired" as const }, "expired"],
    ["pending, request withdrawn", pending, { ...facts, asked: "cancelled" as const }, "expired"],
    ["pending, inside now", pending, { ...facts, is_outside: false }, "address_inside"],
    ["verified", verified, facts, undefined],
    ["verified, two bounces", { ...verified, hard_bounces: 2 }, facts, undefined],
    ["verified, three bounces", { ...verified, hard_bounces: 3 }, facts, "bounced"],
    ["verified, inside now", verified, { ...facts, is_outside: false }, "address_inside"],
    [
      "verified, who decided has left",
      verified,
      { ...facts, in_charge: ["heidi@family.example"] },
      "authority_ended",
    ],
    ["verified by nobody known", { ...verified, decided_by: null }, facts, "authority_ended"],
    ["failed", { ...verified, status: "failed" as const }, { ...facts, is_outside: false }, undefined],
  ])("of one that is %s", (_what, forwarding, known, reason) => {
    expect(endOf(forwarding, known)).toBe(reason);
  });
});

describe("a mail", () => {
  const plain: MailFacts = {
    ...{ held: false, letter: false, phone: false, imported: false, injected: false },
    ...{ automatic: false, own: false, went_round: false },
  };
  test.each([
    [{}, undefined],
    [{ held: true, own: true }, "held"],
    [{ letter: true }, "letter"],
    [{ phone: true }, "not_a_mail"],
    [{ imported: true }, "imported"],
    [{ injected: true }, "injected"],
    [{ went_round: true }, "loop"],
    [{ automatic: true }, "automatic"],
    [{ own: true }, "own_mail"],
  ])("with %j isn't forwarded because of %s", (facts, reason) => {
    expect(whyNot({ ...plain, ...facts })).toBe(reason);
  });
});

test("the note says who, what and when, whatever is missing", () => {
  const facts = { inbox_email: "ada@example.com", from: "al@shop.example", subject: "Sale", created_at: NOW };
  expect(noteOf({ ...facts, from_name: "Al" })).toContain(
    `From: Al <al@shop.example>\nSubject: Sale\nReceived: Saturday 10 January 2026, 00:00 UTC`,
  );
  expect(noteOf({ ...facts, from_name: "" })).toContain("From: al@shop.example\n");
  expect(noteOf({ ...facts, from: "", from_name: null, subject: "" })).toContain(
    "From: nobody named\nSubject: (no subject)",
  );
});
