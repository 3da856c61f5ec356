import { describe, expect, test } from "vitest";
import { stateOf } from "../../kernel/inbox/state.ts";
import { mergeMetadata } from "../../kernel/input/metadata.ts";
import {
  approvalRequired,
  checkOwnerManage,
  checkSecurity,
  checkUsername,
  DEFAULT_SECURITY,
  endsCopies,
  isLaxer,
  matchesQuery,
  nameSuggestions,
  objectionTo,
  type Security,
  statusChange,
} from "./rules.ts";

describe("usernames", () => {
  test.each([
    [
      "Ada Löve!".toLowerCase(),
      ["ada-love", "ada-love-agent", "ada-love-mail", "ada-love-inbox", "ada-love-2", "ada-love-3"],
    ],
    ["..", []],
    ["山", []],
  ])("like %j are %j", (username, names) => {
    expect(nameSuggestions(username)).toEqual(names);
  });

  test("suggested for a long one stay within the length limit", () => {
    for (const name of nameSuggestions("x-".repeat(160))) expect(objectionTo(name)).toBeNull();
  });

  test.each(["a", "ada", "ada.lovelace", "a-b_c.d", "x1", "9", "a".repeat(64), "bouncer", "inbox", "key"])(
    "%s may be taken",
    (name) => {
      expect(objectionTo(name)).toBeNull();
    },
  );

  test.each([
    "",
    ".ada",
    "ada.",
    "-ada",
    "ada_",
    "a b",
    "a+b",
    "Ada",
    "ä",
    "a@b",
    "a..b",
    "a\n",
    "a".repeat(65),
  ])("%j is not one", (name) => {
    expect(objectionTo(name)).toBe("invalid");
  });

  test.each([
    "batch",
    "postmaster",
    "dmarc-reports",
    "abuse",
    "mailer-daemon",
    "root",
    "noreply",
    "bounce",
    "bounces",
    "bounce-7",
    "inb_1",
    "key_x",
    "no-reply",
    "do-not-reply",
    "donotreply",
    "letterslot",
    "support",
    "help",
    "account",
    "accounts",
    "login",
    "auth",
    "billing",
    "info",
    "r",
  ])("%s is reserved", (name) => {
    expect(objectionTo(name)).toBe("reserved");
  });

  test.each([
    ["a..b", "Use no two dots in a row."],
    ["a b", "Use only a-z, 0-9, dots, underscores and hyphens."],
    ["ada.", "Start and end with a letter or digit."],
    ["a".repeat(65), "Use 1 to 64 characters."],
    [
      "-a..b!",
      "Use only a-z, 0-9, dots, underscores and hyphens. Start and end with a letter or digit. Use no two dots in a row.",
    ],
  ])("%s is invalid_username, and the fix says which rule it breaks", (name, fix) => {
    expect(() => checkUsername(name)).toThrow(expect.objectContaining({ code: "invalid_username", fix }));
  });

  test("a name that is not allowed fails with its code", () => {
    expect(() => checkUsername("a b")).toThrow(
      expect.objectContaining({ code: "invalid_username", param: "username" }),
    );
    expect(() => checkUsername("batch")).toThrow(expect.objectContaining({ code: "username_reserved" }));
    expect(() => checkUsername("ada")).not.toThrow();
  });
});

describe("metadata", () => {
  test("is merged, and null removes a key", () => {
    expect(mergeMetadata({ a: 1, b: "x" }, { b: null, c: true, d: null })).toEqual({ a: 1, c: true });
  });

  test("keeps a key named __proto__ as a plain key", () => {
    const merged = mergeMetadata({}, JSON.parse('{"__proto__": "x"}'));
    expect(Object.keys(merged)).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  test("can have 256 keys of 256 characters and 16 KB in total", () => {
    const many = Object.fromEntries(Array.from({ length: 256 }, (_, index) => [`k${index}`, index]));
    expect(Object.keys(mergeMetadata({}, many))).toHaveLength(256);
    expect(() => mergeMetadata(many, { more: 1 })).toThrow(
      expect.objectContaining({ code: "invalid_metadata" }),
    );
    expect(mergeMetadata({}, { ["k".repeat(256)]: 1 })).toBeDefined();
    expect(() => mergeMetadata({}, { ["k".repeat(257)]: 1 })).toThrow(
      expect.objectContaining({ code: "invalid_metadata" }),
    );
    const rest = 16 * 1024 - '{"a":""}'.length;
    expect(mergeMetadata({}, { a: "x".repeat(rest) })).toBeDefined();
    expect(() => mergeMetadata({}, { a: "x".repeat(rest + 1) })).toThrow(
      expect.objectContaining({ code: "invalid_metadata" }),
    );
    expect(() => mergeMetadata({}, { a: "ä".repeat(rest / 2 + 1) })).toThrow(
      expect.objectContaining({ code: "invalid_metadata" }),
    );
  });
});

describe("security", () => {
  const hold: Security = { ...DEFAULT_SECURITY, screening: "hold" };
  test.each<[string, Security, Security, boolean]>([
    ["the same", DEFAULT_SECURITY, DEFAULT_SECURITY, false],
    ["holding instead of observing", DEFAULT_SECURITY, hold, false],
    ["observing instead of holding", hold, DEFAULT_SECURITY, true],
    ["switching screening off", DEFAULT_SECURITY, { ...DEFAULT_SECURITY, screening: "off" }, true],
    [
      "not requiring authentication",
      DEFAULT_SECURITY,
      { ...DEFAULT_SECURITY, require_sender_auth: false },
      true,
    ],
    [
      "requiring authentication again",
      { ...DEFAULT_SECURITY, require_sender_auth: false },
      DEFAULT_SECURITY,
      false,
    ],
    ["taking tasks from phones", DEFAULT_SECURITY, { ...DEFAULT_SECURITY, sms_tasks: true }, true],
    ["letting keys release", { ...DEFAULT_SECURITY, release_by: "authority" }, DEFAULT_SECURITY, true],
    ["letting people release", DEFAULT_SECURITY, { ...DEFAULT_SECURITY, release_by: "authority" }, false],
    ["approving without a passkey", { ...DEFAULT_SECURITY, approve_with: "passkey" }, DEFAULT_SECURITY, true],
    ["approving by passkey", DEFAULT_SECURITY, { ...DEFAULT_SECURITY, approve_with: "passkey" }, false],
    ["taking none from phones again", { ...DEFAULT_SECURITY, sms_tasks: true }, DEFAULT_SECURITY, false],
  ])("%s is laxer: %#", (_, before, after, laxer) => {
    expect(isLaxer(before, after)).toBe(laxer);
  });

  test("only callers with owner_manage can make it less strict", () => {
    const off: Security = { ...DEFAULT_SECURITY, screening: "off" };
    expect(() => checkSecurity(["inbox_update"], DEFAULT_SECURITY, off)).toThrow(
      expect.objectContaining({ code: "permission_denied", param: "owner_manage" }),
    );
    expect(() => checkSecurity(["owner_manage"], DEFAULT_SECURITY, off)).not.toThrow();
    expect(() => checkSecurity(null, DEFAULT_SECURITY, off)).not.toThrow();
    expect(() => checkSecurity(["inbox_update"], off, DEFAULT_SECURITY)).not.toThrow();
  });
});

describe("status", () => {
  const now = "2026-01-02T00:00:00.000Z";
  const earlier = "2026-01-01T00:00:00.000Z";
  test("pausing records the time, and pausing again keeps it", () => {
    expect(statusChange({ status: "active", paused_at: null }, "paused", now)).toEqual({
      status: "paused",
      paused_at: now,
    });
    expect(statusChange({ status: "paused", paused_at: earlier }, "paused", now)).toEqual({
      status: "paused",
      paused_at: earlier,
    });
  });

  test("resuming clears the time", () => {
    expect(statusChange({ status: "paused", paused_at: earlier }, "active", now)).toEqual({
      status: "active",
      paused_at: null,
    });
  });

  test("an inbox is expired from its expiry on, whatever its status", () => {
    expect(stateOf({ status: "paused", expires_at: now }, new Date(now))).toBe("expired");
    expect(stateOf({ status: "paused", expires_at: now }, new Date(earlier))).toBe("paused");
    expect(stateOf({ status: "active", expires_at: null }, new Date(now))).toBe("active");
  });
});

test("an end that needs approvals names every inbox that does", () => {
  expect(approvalRequired(["inb_1", "inb_2"], "expires_at")).toMatchObject({
    code: "approval_required",
    param: "expires_at",
    message: "An owner must approve the end of inb_1, inb_2.",
  });
});

test("a search word matches name, address and display name", () => {
  const inbox = { username: "ada", email: "ada@mail.test", display_name: "Countess" };
  expect(["ad", "mail.t", "count", ""].map((word) => matchesQuery(inbox, word))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(matchesQuery(inbox, "babbage")).toBe(false);
  expect(matchesQuery({ ...inbox, display_name: null }, "count")).toBe(false);
});

test.each([
  ["off", "off", false],
  ["off", "cc", false],
  ["cc", "bcc", false],
  ["bcc", undefined, false],
  ["cc", "off", true],
  ["bcc", "off", true],
] as const)("copies %s, asked for %s: they end %s", (owner_copy, asked, ends) => {
  expect(endsCopies({ owner_copy }, asked)).toBe(ends);
});

test("what takes owner_manage is refused without it", () => {
  expect(() => checkOwnerManage(null)).not.toThrow();
  expect(() => checkOwnerManage(["owner_manage"])).not.toThrow();
  expect(() => checkOwnerManage(["inbox_update"])).toThrow(
    expect.objectContaining({ code: "permission_denied", param: "owner_manage" }),
  );
});
