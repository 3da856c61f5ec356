import { describe, expect, test } from "vitest";
import { APP_DEFAULT_PERMISSIONS, type Permission } from "../../catalogue/permissions.ts";
import { masked, newCode, permissionsGiven, readCode, speaksNow, spelledOut, statusOf } from "./rules.ts";

const failsWith = (code: string, param?: string) =>
  expect.objectContaining({ code, ...(param === undefined ? {} : { param }) });

describe("a code", () => {
  test("has 8 characters of Crockford's base 32, in two groups", () => {
    for (let n = 0; n < 200; n++) expect(newCode()).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    let next = 0;
    expect(newCode(() => next++)).toBe("01234567");
    expect(spelledOut("7K3MQ9XT")).toBe("7K3M-Q9XT");
  });

  test.each([
    ["7K3M-Q9XT", "7K3MQ9XT"],
    [" 7k3m q9xt ", "7K3MQ9XT"],
    ["oOiI-lL00", "00111100"],
  ])("%j is read as %s", (typed, code) => {
    expect(readCode(typed)).toBe(code);
  });

  test.each(["", "7K3MQ9X", "7K3MQ9XTT", "7K3M-Q9XU", "7K3M*Q9XT", "٧K3MQ9XT"])("%j is none", (typed) => {
    expect(() => readCode(typed)).toThrow(failsWith("pairing_invalid", "code"));
  });
});

test("a sign-in lets agents in for 24 hours", () => {
  const session = { created_at: "2026-01-01T00:00:00.000Z" };
  expect(speaksNow(session, new Date("2026-01-01T23:59:59.999Z"))).toBe(true);
  expect(speaksNow(session, new Date("2026-01-02T00:00:00.000Z"))).toBe(false);
});

describe("the permissions of a code", () => {
  const held: Permission[] = ["message_read", "inbox_read"];

  test("are an app's by default, or those that are asked for, in one order", () => {
    expect(permissionsGiven(undefined, null)).toHaveLength(APP_DEFAULT_PERMISSIONS.length);
    expect(permissionsGiven(["message_send", "inbox_read"], null)).toEqual(["inbox_read", "message_send"]);
    expect(permissionsGiven(["webhook_write"], null)).toEqual(["webhook_write"]);
    expect(permissionsGiven(["inbox_read"], held)).toEqual(["inbox_read"]);
  });

  test.each(["key_write", "grant_write", "owner_manage", "workspace_write"] as const)(
    "are never %s",
    (name) => {
      expect(() => permissionsGiven([name], null)).toThrow(failsWith("permission_escalation", name));
    },
  );

  test("are at most the person's", () => {
    expect(() => permissionsGiven(["message_send"], held)).toThrow(
      failsWith("permission_escalation", "message_send"),
    );
    expect(() => permissionsGiven(undefined, held)).toThrow(failsWith("permission_escalation"));
  });
});

test.each([
  [null, null, "2026-01-01T00:00:01.000Z", "open"],
  [null, null, "2026-01-01T00:00:00.000Z", "expired"],
  ["2025-12-31T00:00:00.000Z", null, "2025-12-31T00:10:00.000Z", "paired"],
  ["2025-12-31T00:00:00.000Z", "2025-12-31T01:00:00.000Z", "2025-12-31T00:10:00.000Z", "undone"],
])("paired at %j, undone at %j, code until %j: %s", (paired_at, undone_at, expires_at, status) => {
  expect(statusOf({ paired_at, undone_at, expires_at }, "2026-01-01T00:00:00.000Z")).toBe(status);
});

test("an address is masked", () => {
  expect(masked("olga@owner.example")).toBe("o***@owner.example");
  expect(masked('"a@b"@owner.example')).toBe('"***@owner.example');
});
