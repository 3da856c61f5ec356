import { describe, expect, test } from "vitest";
import type { AccountCaller } from "../../kernel/access/caller.ts";
import type { ExportRecord } from "../../model/exports.ts";
import type { KeyRecord } from "../../model/keys.ts";
import { askerOf, exportsCap, isReachable, keyMayExport, mayExport } from "./rules.ts";

const NOW = new Date("2026-01-02T00:00:00.000Z");
const EARLIER = "2026-01-01T00:00:00.000Z";
const LATER = "2026-01-03T00:00:00.000Z";

const all = { account_id: "acct_1", permissions: null, inbox_ids: null, ip: null };
const key: AccountCaller = { ...all, type: "key", key: { id: "key_1" } as KeyRecord };
const app: AccountCaller = { ...all, type: "app", grant_id: "grant_1", client_id: "app", token_hash: "hash" };
const owner: AccountCaller = {
  ...all,
  type: "owner",
  email: "ada@example.com",
  account_owner: true,
  session_id: "ses_1",
};

describe("an export", () => {
  test.each<[string, AccountCaller, boolean]>([
    ["an account owner", owner, true],
    ["a key with everything", key, true],
    ["a key with some permissions", { ...key, permissions: ["message_read"] }, false],
    ["a key of one inbox", { ...key, inbox_ids: ["inb_1"] }, false],
    ["an owner of one inbox", { ...owner, inbox_ids: ["inb_1"] }, false],
  ])("may %s have: %#", (_, caller, may) => expect(mayExport(caller)).toBe(may));

  test.each<[string, AccountCaller, string, string]>([
    ["a key", key, "key_1", "exports:acct_1:keys"],
    ["a person", owner, "ada@example.com", "exports:acct_1:ada@example.com"],
    ["an app", app, "grant_1", "exports:acct_1:keys"],
  ])("is known by who asked for it: %s", (_, caller, asker, counter) => {
    expect(askerOf(caller)).toBe(asker);
    expect(exportsCap(caller, "acct_1").name).toBe(counter);
  });

  const stored = { account_id: "acct_1", asked_by: "key_1", expires_at: LATER } as ExportRecord;
  test.each<[string, ExportRecord, AccountCaller, boolean]>([
    ["whoever asked", stored, key, true],
    ["nobody once it has expired", { ...stored, expires_at: EARLIER }, key, false],
    ["no other caller of the account", stored, owner, false],
    ["nobody of another account", { ...stored, account_id: "acct_2" }, key, false],
  ])("is there for %s", (_, record, caller, reachable) =>
    expect(isReachable(record, caller, NOW)).toBe(reachable),
  );

  const working = { revoked_at: null, expires_at: null, permissions: null, inbox_id: null } as KeyRecord;
  test.each<[string, KeyRecord | undefined, boolean]>([
    ["works", working, true],
    ["works until later", { ...working, expires_at: LATER }, true],
    ["has expired", { ...working, expires_at: EARLIER }, false],
    ["was revoked", { ...working, revoked_at: EARLIER }, false],
    ["is gone", undefined, false],
    ["has some permissions by now", { ...working, permissions: ["message_read"] }, false],
    ["has one inbox", { ...working, inbox_id: "inb_1" }, false],
  ])("is made for a key that %s: %#", (_, record, may) => expect(keyMayExport(record, NOW)).toBe(may));
});
