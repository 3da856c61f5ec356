import { describe, expect, test } from "vitest";
import type { AccountCaller } from "../../kernel/access/caller.ts";
import {
  checkEmpty,
  checkMayActWithin,
  checkNotNested,
  firstWorkspaceKey,
  usedBy,
  withQuota,
} from "./rules.ts";

const day = "2026-01-02T00:00:00.000Z";
const code = (name: string) => expect.objectContaining({ code: name });

test("a sub-account has no workspaces", () => {
  expect(() => checkNotNested({ parent_account_id: null })).not.toThrow();
  expect(() => checkNotNested({ parent_account_id: "acct_1" })).toThrow(code("permission_denied"));
});

describe("within a workspace", () => {
  const cases: [string, Pick<AccountCaller, "type" | "inbox_ids">, boolean][] = [
    ["a key of the whole account may act", { type: "key", inbox_ids: null }, true],
    ["an account owner may act", { type: "owner", inbox_ids: null }, true],
    ["a key that is limited to an inbox may not", { type: "key", inbox_ids: ["inb_1"] }, false],
    ["an inbox's owner may not", { type: "owner", inbox_ids: ["inb_1"] }, false],
    ["an app may not, though it has the whole account", { type: "app", inbox_ids: null }, false],
  ];
  test.each(cases)("%s", (_, caller, may) => {
    if (may) return expect(() => checkMayActWithin(caller)).not.toThrow();
    expect(() => checkMayActWithin(caller)).toThrow(code("permission_denied"));
  });
});

test("a workspace's first key has its creator's permissions and expiry, and no inbox", () => {
  const whole = { inbox_id: null, permissions: null, expires_at: null, budget: null };
  expect(firstWorkspaceKey({ permissions: null, key: null })).toEqual(whole);
  expect(firstWorkspaceKey({ permissions: null, key: { expires_at: null } })).toEqual(whole);
  const few = firstWorkspaceKey({ permissions: ["workspace_write"], key: { expires_at: day } });
  expect(few).toEqual({ ...whole, permissions: ["workspace_write"], expires_at: day });
});

describe("a quota", () => {
  const three = { inbox_quota: 5, inboxes_left: 2 };

  test("counts what is used", () => {
    expect(usedBy(three)).toBe(3);
  });

  test.each([
    [10, { inbox_quota: 10, inboxes_left: 7 }],
    [3, { inbox_quota: 3, inboxes_left: 0 }],
  ])("may become %i", (quota, after) => {
    expect(withQuota(three, quota)).toEqual(after);
  });

  test("may not fall below what is used", () => {
    expect(() => withQuota(three, 2)).toThrow(
      expect.objectContaining({ code: "quota_below_usage", param: "inbox_quota" }),
    );
  });

  test.each([
    [2, "The workspace has 3 inboxes."],
    [4, "The workspace has an inbox."],
  ])("of 5 with %i left isn't empty", (inboxes_left, message) => {
    expect(() => checkEmpty({ inbox_quota: 5, inboxes_left })).toThrow(
      expect.objectContaining({ code: "workspace_not_empty", message }),
    );
  });

  test("with all of it left is empty", () => {
    expect(() => checkEmpty({ inbox_quota: 5, inboxes_left: 5 })).not.toThrow();
  });
});
