import { describe, expect, test } from "vitest";
import type { Permission } from "../../../catalogue/permissions.ts";
import type { AccountCaller } from "../../../kernel/access/caller.ts";
import type { DeletedBy } from "../../../model/trash.ts";
import { checkMayRestore, checkPermanent, deletedBy, idsOfKind, restorableUntil } from "./rules.ts";

const nobody = { key_id: null, client_id: null, email: null };

test.each([
  [30, "2026-01-31T00:00:00.000Z"],
  [1, "2026-01-02T00:00:00.000Z"],
])("%i days of trash end %s", (days, until) => {
  expect(restorableUntil(new Date("2026-01-01T00:00:00.000Z"), days)).toBe(until);
});

test.each<[Partial<AccountCaller> | { type: "key"; key: { id: string } }, DeletedBy]>([
  [
    { type: "key", key: { id: "key_1" } },
    { ...nobody, type: "key", key_id: "key_1" },
  ],
  [
    { type: "app", client_id: "https://app" },
    { ...nobody, type: "app", client_id: "https://app" },
  ],
  [
    { type: "owner", email: "olga@owner.example" },
    { ...nobody, type: "owner", email: "olga@owner.example" },
  ],
])("%o is who deleted", (caller, by) => {
  expect(deletedBy(caller as AccountCaller)).toEqual(by);
});

test.each([
  ["key", "key", true],
  ["app", "key", true],
  ["owner", "key", true],
  ["owner", "owner", true],
  ["key", "owner", false],
  ["app", "owner", false],
] as const)("a %s restores what a %s deleted: %s", (type, by, may) => {
  const check = () => checkMayRestore({ type }, { deleted_by: { ...nobody, type: by } });
  if (may) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: "owner_only" }));
});

test.each<[readonly Permission[] | null, unknown, boolean]>([
  [null, true, true],
  [["message_delete"], "true", true],
  [["message_send"], undefined, true],
  [["message_send"], false, true],
  [["message_send"], "false", true],
  [["message_send"], true, false],
  [["message_send"], "true", false],
  [["message_send"], "nonsense", false],
])("with %o, permanent %o may be asked: %s", (permissions, permanent, may) => {
  const check = () => checkPermanent(permissions, permanent);
  if (may) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: "permission_denied", param: "message_delete" }));
});

describe("the ids of one kind", () => {
  test("are those with its prefix, and no others", () => {
    const { gt, lt } = idsOfKind("msg", "desc", undefined);
    for (const id of ["msg_0", "msg_zzz"]) expect([id > gt, id < lt]).toEqual([true, true]);
    for (const id of ["dft_zzz", "thr_0"]) expect(id > gt && id < lt).toBe(false);
  });

  test("go on after a position, up or down", () => {
    expect(idsOfKind("thr", "asc", "thr_5")).toEqual({ gt: "thr_5", lt: "thr`" });
    expect(idsOfKind("thr", "desc", "thr_5")).toEqual({ gt: "thr_", lt: "thr_5" });
  });
});
