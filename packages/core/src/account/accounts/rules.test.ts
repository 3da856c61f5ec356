import { describe, expect, test } from "vitest";
import type { AccountCaller, OwnerCaller } from "../../kernel/access/caller.ts";
import { checkClaimed, restrictionsOf } from "../../kernel/access/claimed.ts";
import { checkFloor, checkOnboarding, checkStyleChange } from "./rules.ts";

test("a closed service accepts no sign-ups", () => {
  for (const by of ["agent", "person"] as const) {
    expect(() => checkOnboarding("closed", by)).toThrow(
      expect.objectContaining({ code: "onboarding_closed" }),
    );
    expect(() => checkOnboarding("open", by)).not.toThrow();
    expect(() => checkOnboarding("claimed", by)).not.toThrow();
  }
});

test("where people pair their agents, only people open accounts", () => {
  expect(() => checkOnboarding("paired", "person")).not.toThrow();
  expect(() => checkOnboarding("paired", "agent")).toThrow(
    expect.objectContaining({
      code: "onboarding_closed",
      fix: expect.stringContaining("Ask the person for a pairing code") as string,
    }),
  );
});

test("an unclaimed account is restricted where accounts must be claimed", () => {
  expect(restrictionsOf({ claimed: false }, "claimed")).toEqual(["account_unclaimed"]);
  expect(restrictionsOf({ claimed: true }, "claimed")).toEqual([]);
  expect(restrictionsOf({ claimed: false }, "open")).toEqual([]);
  expect(() => checkClaimed({ claimed: false }, "claimed")).toThrow(
    expect.objectContaining({ code: "account_unclaimed" }),
  );
  expect(() => checkClaimed({ claimed: false }, "open")).not.toThrow();
});

test("only unscoped keys with owner_manage can change the account's style", () => {
  expect(() => checkStyleChange({ permissions: null, inbox_ids: null })).not.toThrow();
  expect(() => checkStyleChange({ permissions: ["owner_manage"], inbox_ids: null })).not.toThrow();
  expect(() => checkStyleChange({ permissions: ["owner_read"], inbox_ids: null })).toThrow(
    expect.objectContaining({ param: "owner_manage" }),
  );
  expect(() => checkStyleChange({ permissions: null, inbox_ids: ["inb_1"] })).toThrow(
    expect.objectContaining({ code: "permission_denied", param: undefined }),
  );
});

describe("the floor of an account", () => {
  const key = { type: "key", permissions: null, inbox_ids: null } as AccountCaller;
  const person = { type: "owner", permissions: null, inbox_ids: null } as unknown as OwnerCaller;
  const raised = { before: "direct", after: "guarded", people: true, root: true } as const;

  test.each<
    [who: string, caller: AccountCaller, change: Parameters<typeof checkFloor>[1], code: string | null]
  >([
    ["a key", key, raised, null],
    ["a key in a workspace", key, { ...raised, root: false }, "permission_denied"],
    ["a key that manages no owners", { ...key, permissions: ["message_read"] }, raised, "permission_denied"],
    ["a key of single inboxes", { ...key, inbox_ids: ["inb_1"] }, raised, "permission_denied"],
    ["a key, where nobody can be asked", key, { ...raised, people: false }, "owner_required"],
    ["a key that lowers it", key, { ...raised, before: "approval" }, "permission_denied"],
    ["an account owner", { ...person, account_owner: true }, { ...raised, after: "direct" }, null],
    ["an owner of one inbox", { ...person, account_owner: false }, raised, "permission_denied"],
    ["a key that leaves it as it is", key, { ...raised, after: "direct", people: false }, null],
  ])("by %s", (_who, caller, change, code) => {
    const checking = () => checkFloor(caller, change);
    if (code === null) expect(checking).not.toThrow();
    else expect(checking).toThrow(expect.objectContaining({ code }));
  });
});
