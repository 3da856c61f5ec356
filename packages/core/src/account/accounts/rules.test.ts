import { expect, test } from "vitest";
import { checkClaimed, restrictionsOf } from "../../kernel/access/claimed.ts";
import { checkOnboarding, checkStyleChange } from "./rules.ts";

test("a closed service accepts no sign-ups", () => {
  expect(() => checkOnboarding("closed")).toThrow(expect.objectContaining({ code: "onboarding_closed" }));
  expect(() => checkOnboarding("open")).not.toThrow();
  expect(() => checkOnboarding("claimed")).not.toThrow();
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
