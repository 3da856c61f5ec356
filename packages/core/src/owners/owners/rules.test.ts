import { describe, expect, test } from "vitest";
import { createMemoryStorage, createTestService } from "../../../testing/index.ts";
import type { LetterslotError } from "../../catalogue/errors.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import type { OwnerRecord } from "../../model/owners.ts";
import {
  checkCodeOpen,
  checkLinkOpen,
  checkStyleChange,
  effectiveStyle,
  NEW_OWNER,
  shownOwner,
} from "./rules.ts";

const now = "2026-01-01T00:00:00.000Z";
const later = "2026-01-01T00:00:00.001Z";

test.each([
  ["ada@example.com", true],
  ["ada@mail.test", false],
  ["ada@MAIL.test", false],
  ["ada@sub.mail.test", false],
  ["ada@ｍａｉｌ.test", false],
  ["ada@sub.ｍail。test", false],
  ["ada@mail.test.example.com", true],
  ["ａda@example.com", false],
  ["ada@example.com.", false],
  ["nobody", false],
  ["ada@notmail.test", true],
  ['"x@mail.test"@example.com', true],
])("%s is outside mail.test: %s", async (email, external) => {
  const { options } = createTestService({ mailDomain: "mail.test" }).letterslot.services;
  expect(await isOutside({ options }, createMemoryStorage(), email)).toBe(external);
});

describe("the style of letters", () => {
  const owner = { email_style: null, email_style_note: null, style_locked: false };
  const account = { owner_email_style: null, owner_email_style_note: null };
  test.each([
    ["is concise by default", owner, account, { style: "concise", note: null, source: "default" }],
    [
      "comes from the account",
      owner,
      { owner_email_style: "casual", owner_email_style_note: "Hi" },
      { style: "casual", note: "Hi", source: "account" },
    ],
    [
      "is the owner's before the account's",
      { ...owner, email_style: "detailed", email_style_note: "All" },
      { owner_email_style: "casual", owner_email_style_note: "Hi" },
      { style: "detailed", note: "All", source: "owner" },
    ],
    [
      "is what the owner chose on their page",
      { ...owner, email_style: "casual", style_locked: true },
      account,
      { style: "casual", note: null, source: "owner_page" },
    ],
  ] as const)("%s", (_, ofOwner, ofAccount, effective) => {
    expect(effectiveStyle(ofOwner, ofAccount)).toEqual(effective);
  });

  test("is locked once the owner has chosen it", () => {
    expect(() => checkStyleChange({ style_locked: true }, true)).toThrow(
      expect.objectContaining({ code: "owner_style_locked" }),
    );
    expect(() => checkStyleChange({ style_locked: true }, false)).not.toThrow();
    expect(() => checkStyleChange({ style_locked: false }, true)).not.toThrow();
  });
});

/** The code of the error that a check throws, and the field that it names; undefined when it passes. */
function errorOf(check: () => void) {
  try {
    check();
    return undefined;
  } catch (error) {
    const { code, param } = error as LetterslotError;
    return `${code} ${param}`;
  }
}

describe("a code", () => {
  const open = { code_hash: "x", code_tries: 4, code_expires_at: later, code_voided_at: null };
  test.each([
    ["works until it expires, for five attempts", {}, undefined],
    ["is locked after five wrong ones", { code_tries: 5 }, "confirm_locked code"],
    ["ends at its time", { code_expires_at: now }, "confirm_expired code"],
    ["without a time has ended", { code_expires_at: null }, "confirm_expired code"],
    ["that there is none of is invalid", { code_hash: null }, "confirm_invalid code"],
    ["that came back is invalid, while it would work", { code_voided_at: now }, "confirm_invalid code"],
    [
      "is locked before it is told that it has ended",
      { code_tries: 5, code_expires_at: now },
      "confirm_locked code",
    ],
  ])("%s", (_, change, refused) => {
    expect(errorOf(() => checkCodeOpen({ ...open, ...change }, now))).toBe(refused);
  });

  test("that came back in a mail says so, and what to do", () => {
    expect(() => checkCodeOpen({ ...open, code_hash: null, code_voided_at: now }, now)).toThrow(
      expect.objectContaining({
        message: "This code arrived in your agent's mailbox: your mail is forwarded to it.",
        fix: expect.stringMatching(/^Use another mailbox, one that no agent reads\./),
      }),
    );
  });
});

test.each([
  ["works until it expires", "pending", later, undefined],
  ["ends at its time", "pending", now, "confirm_expired token"],
  ["without a time has ended", "pending", null, "confirm_expired token"],
  ["still shows a verified owner", "verified", now, undefined],
] as const)("a link %s", (_, status, link_expires_at, refused) => {
  expect(errorOf(() => checkLinkOpen({ status, link_expires_at }, now))).toBe(refused);
});

test("a new owner gets updates as they come, in no style of their own, and is shown without secrets", () => {
  const record: OwnerRecord = {
    ...NEW_OWNER,
    ...{
      id: "own_1",
      account_id: "acct_1",
      inbox_id: "inb_1",
      email: "ada@example.com",
      given_email: "Ada@example.com",
    },
    ...{ status: "pending", digest: "immediate", created_at: now, verified_at: null },
    ...{ code_hash: "x", code_expires_at: later, code_tries: 0, code_voided_at: null },
    ...{ link_hash: "y", link_expires_at: later },
  };
  expect(NEW_OWNER).toMatchObject({ hard_bounces: 0, style_locked: false });
  const account = { owner_email_style: "casual", owner_email_style_note: "Hi" } as AccountRecord;
  expect(shownOwner(record, account)).toEqual({
    ...{ object: "owner", id: "own_1", inbox_id: "inb_1", email: "Ada@example.com", status: "pending" },
    ...{ digest: "immediate", email_style: null, email_style_note: null },
    effective_email_style: { style: "casual", note: "Hi", source: "account" },
    ...{ created_at: now, verified_at: null, unsubscribed_at: null, unreachable_since: null },
  });
});
