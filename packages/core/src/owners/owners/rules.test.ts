import { describe, expect, test } from "vitest";
import { createMemoryStorage, createTestService } from "../../../testing/index.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import { checkCodeOpen, checkLinkOpen, checkStyleChange, effectiveStyle } from "./rules.ts";

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

describe("a code", () => {
  const open = { code_hash: "x", code_tries: 4, code_expires_at: later, code_voided_at: null };
  test("is valid for five attempts and until it expires", () => {
    expect(() => checkCodeOpen(open, now)).not.toThrow();
    expect(() => checkCodeOpen({ ...open, code_tries: 5 }, now)).toThrow(
      expect.objectContaining({ code: "confirm_locked" }),
    );
    expect(() => checkCodeOpen({ ...open, code_expires_at: now }, now)).toThrow(
      expect.objectContaining({ code: "confirm_expired" }),
    );
    expect(() => checkCodeOpen({ ...open, code_expires_at: null }, now)).toThrow(
      expect.objectContaining({ code: "confirm_expired" }),
    );
    expect(() => checkCodeOpen({ ...open, code_hash: null, code_voided_at: now }, now)).toThrow(
      "This code arrived in your agent's mailbox: your mail is forwarded to it.",
    );
    expect(() => checkCodeOpen({ ...open, code_hash: null }, now)).toThrow(
      expect.objectContaining({ code: "confirm_invalid" }),
    );
  });
});

test("a link is valid until it expires, and still shows a verified owner", () => {
  expect(() => checkLinkOpen({ status: "pending", link_expires_at: later }, now)).not.toThrow();
  expect(() => checkLinkOpen({ status: "pending", link_expires_at: now }, now)).toThrow(
    expect.objectContaining({ code: "confirm_expired" }),
  );
  expect(() => checkLinkOpen({ status: "pending", link_expires_at: null }, now)).toThrow(
    expect.objectContaining({ code: "confirm_expired" }),
  );
  expect(() => checkLinkOpen({ status: "verified", link_expires_at: now }, now)).not.toThrow();
});
