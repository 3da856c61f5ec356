import { describe, expect, test } from "vitest";
import type { ErrorCode } from "../../../catalogue/errors.ts";
import type { Permission } from "../../../catalogue/permissions.ts";
import {
  checkChange,
  checkMayRead,
  checkMayWrite,
  firstKeyTerms,
  type KeyRequest,
  type KeyTerms,
  newKeyTerms,
} from "./rules.ts";

const now = new Date("2026-01-01T00:00:00.000Z");
const day = "2026-01-02T00:00:00.000Z";
const week = "2026-01-08T00:00:00.000Z";

interface Creator {
  permissions: Permission[] | null;
  inbox_ids: string[] | null;
  key: { id: string; expires_at: string | null };
}
const full: Creator = { permissions: null, inbox_ids: null, key: { id: "key_1", expires_at: null } };
const reader: Creator = { ...full, permissions: ["key_write", "message_read"] };
const scoped: Creator = { ...full, inbox_ids: ["inb_1"] };
const held: Creator = { ...full, inbox_ids: ["inb_1", "inb_2"] };
const brief: Creator = { ...full, key: { id: "key_1", expires_at: day } };

describe("a key created with another key", () => {
  const created: [string, Creator, KeyRequest, Partial<KeyTerms>][] = [
    [
      "has full access by default if its creator has",
      full,
      {},
      { inbox_id: null, permissions: null, expires_at: null },
    ],
    [
      "has the requested terms",
      full,
      { permissions: ["task_read"], inbox_id: "inb_2" },
      { permissions: ["task_read"], inbox_id: "inb_2" },
    ],
    [
      "can be explicitly unscoped by an unscoped key",
      full,
      { inbox_id: null, permissions: null },
      { inbox_id: null },
    ],
    [
      "has each permission once",
      full,
      { permissions: ["task_read", "task_read"] },
      { permissions: ["task_read"] },
    ],
    [
      "can have all permissions of its restricted creator",
      reader,
      { permissions: ["message_read"] },
      { permissions: ["message_read"] },
    ],
    ["gets the inbox of a scoped creator", scoped, {}, { inbox_id: "inb_1" }],
    ["can name the inbox of its scoped creator", scoped, { inbox_id: "inb_1" }, { inbox_id: "inb_1" }],
    ["can name one of its creator's inboxes", held, { inbox_id: "inb_2" }, { inbox_id: "inb_2" }],
    ["expires with its creator by default", brief, {}, { expires_at: day }],
    ["can expire before its creator", brief, { ttl_hours: 1 }, { expires_at: "2026-01-01T01:00:00.000Z" }],
    ["ends when it says", full, { expires_at: week }, { expires_at: week }],
  ];
  test.each(created)("%s", (_, creator, request, terms) => {
    expect(newKeyTerms(creator, request, now)).toMatchObject(terms);
  });

  const refused: [string, Creator, KeyRequest, ErrorCode, string][] = [
    [
      "can't have more permissions than its creator",
      reader,
      { permissions: ["message_send"] },
      "permission_escalation",
      "permissions",
    ],
    [
      "can't have all permissions when its creator is restricted",
      reader,
      {},
      "permission_escalation",
      "permissions",
    ],
    ["can't leave its creator's inbox", scoped, { inbox_id: "inb_2" }, "inbox_not_found", "inbox_id"],
    ["must name an inbox when its creator has several", held, {}, "permission_escalation", "inbox_id"],
    ["may not be widened to the account", scoped, { inbox_id: null }, "permission_escalation", "inbox_id"],
    ["can't expire after its creator", brief, { expires_at: week }, "permission_escalation", "expires_at"],
    [
      "can't outlive its creator by ttl_hours",
      brief,
      { ttl_hours: 48 },
      "permission_escalation",
      "ttl_hours",
    ],
    ["has one end only", full, { ttl_hours: 1, expires_at: day }, "invalid_request", "expires_at"],
    [
      "can't expire in the past",
      full,
      { expires_at: "2025-12-31T00:00:00.000Z" },
      "invalid_expiry",
      "expires_at",
    ],
  ];
  test.each(refused)("%s", (_, creator, request, code, param) => {
    expect(() => newKeyTerms(creator, request, now)).toThrow(expect.objectContaining({ code, param }));
  });
});

describe("the first key of an account", () => {
  test("has full access until the requested expiry", () => {
    expect(firstKeyTerms({}, now)).toEqual({
      inbox_id: null,
      permissions: null,
      expires_at: null,
      budget: null,
    });
    expect(firstKeyTerms({ ttl_hours: 24, permissions: null, inbox_id: null }, now).expires_at).toBe(day);
  });

  test("can't be limited to an inbox or to permissions", () => {
    expect(() => firstKeyTerms({ inbox_id: "inb_1" }, now)).toThrow(
      expect.objectContaining({ code: "inbox_not_found" }),
    );
    expect(() => firstKeyTerms({ permissions: ["task_read"] }, now)).toThrow(
      expect.objectContaining({ code: "invalid_request" }),
    );
  });
});

describe("access between keys", () => {
  test("a key may read itself, and others with key_read", () => {
    const sender: Creator = { ...full, permissions: ["message_send"] };
    expect(() => checkMayRead(sender, "key_1")).not.toThrow();
    expect(() => checkMayRead(full, "key_2")).not.toThrow();
    expect(() => checkMayRead(sender, "key_2")).toThrow(
      expect.objectContaining({ code: "permission_denied", param: "key_read" }),
    );
  });

  test("a key may change itself and, with key_write, keys with no more permissions than its own", () => {
    const sender: Creator = { ...full, permissions: ["message_send"] };
    expect(() => checkChange(sender, { id: "key_1", permissions: ["message_send"] })).not.toThrow();
    expect(() => checkChange(full, { id: "key_2", permissions: null })).not.toThrow();
    expect(() => checkChange(reader, { id: "key_2", permissions: ["message_read"] })).not.toThrow();
    expect(() => checkMayWrite(sender, "key_1")).not.toThrow();
    expect(() => checkMayWrite(reader, "key_2")).not.toThrow();
    expect(() => checkMayWrite(sender, "key_2")).toThrow(
      expect.objectContaining({ code: "permission_denied", param: "key_write" }),
    );
    expect(() => checkChange(reader, { id: "key_2", permissions: null })).toThrow(
      expect.objectContaining({ code: "permission_denied", param: undefined }),
    );
    expect(() => checkChange(reader, { id: "key_2", permissions: ["task_read"] })).toThrow(
      expect.objectContaining({ param: "task_read" }),
    );
  });
});
