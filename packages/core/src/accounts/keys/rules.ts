import { fail } from "../../catalogue/errors.ts";
import { holdsAny, type Permission } from "../../catalogue/permissions.ts";
import type { KeyCaller } from "../../kernel/caller.ts";
import { expiryOf } from "../../kernel/expiry.ts";
import type { KeyRecord } from "../../model/keys.ts";

type Minter = Pick<KeyCaller, "permissions" | "inbox_id"> & { key: Pick<KeyRecord, "id" | "expires_at"> };

/** What a caller asks a new key to be. */
export interface KeyRequest {
  inbox_id?: string | null | undefined;
  permissions?: readonly Permission[] | null | undefined;
  ttl_hours?: number | undefined;
  expires_at?: string | null | undefined;
}

/**
 * What a new key is: null permissions are all of them, a null inbox is the whole account, a null expiry is
 * never.
 */
export interface KeyTerms {
  inbox_id: string | null;
  permissions: Permission[] | null;
  expires_at: string | null;
}

/**
 * The terms of the first key of a new account: full access, for as long as was asked. Fails with
 * `invalid_request` when less is asked.
 */
export function firstKeyTerms(wish: KeyRequest, now: Date): KeyTerms {
  if (typeof wish.inbox_id === "string") throw fail("inbox_not_found", { param: "inbox_id" });
  if (wish.permissions) {
    throw fail("invalid_request", {
      param: "permissions",
      message: "The first key of a new account has full access.",
      fix: "Leave permissions out, or send Authorization: Bearer to mint a restricted key.",
    });
  }
  return { inbox_id: null, permissions: null, expires_at: expiryOf(wish, now) ?? null };
}

/**
 * The terms of a key that another key mints: never more than the minter holds. A scoped minter's keys get its
 * inbox, and a key that says nothing of its end ends with its minter. key_write is asked for here, since the
 * gate asks nothing of a public operation. Fails with `inbox_not_found`, `permission_denied` or
 * `permission_escalation`.
 */
export function mintedKeyTerms(minter: Minter, wish: KeyRequest, now: Date): KeyTerms {
  const inbox_id = mintedInbox(minter, wish);
  if (!holdsAny(minter.permissions, ["key_write"])) throw fail("permission_denied", { param: "key_write" });
  return {
    inbox_id,
    permissions: mintedPermissions(minter, wish),
    expires_at: mintedExpiry(minter, wish, now),
  };
}

function mintedInbox({ inbox_id: own }: Minter, { inbox_id: asked }: KeyRequest): string | null {
  if (own === null) return asked ?? null;
  if (asked === null) throw fail("permission_escalation", { param: "inbox_id" });
  if (asked !== undefined && asked !== own) throw fail("inbox_not_found", { param: "inbox_id" });
  return own;
}

function mintedPermissions(
  { permissions: own }: Minter,
  { permissions: asked = null }: KeyRequest,
): Permission[] | null {
  if (own !== null && (asked === null || asked.some((permission) => !own.includes(permission)))) {
    throw fail("permission_escalation", { param: "permissions" });
  }
  return asked === null ? null : [...new Set(asked)];
}

function mintedExpiry({ key }: Minter, wish: KeyRequest, now: Date): string | null {
  const asked = expiryOf(wish, now) ?? null;
  if (key.expires_at === null) return asked;
  if (asked !== null && asked > key.expires_at)
    throw fail("permission_escalation", { param: wish.ttl_hours === undefined ? "expires_at" : "ttl_hours" });
  return asked ?? key.expires_at;
}

/** Whether a caller can know of a key: its account's, and for a scoped caller only those of its inbox. */
export function canSee(
  caller: Pick<KeyCaller, "account_id" | "inbox_id">,
  key: Pick<KeyRecord, "account_id" | "inbox_id">,
): boolean {
  return (
    key.account_id === caller.account_id && (caller.inbox_id === null || key.inbox_id === caller.inbox_id)
  );
}

/** Holds a caller to reading itself or, with key_read, others. Fails with `permission_denied`. */
export function checkRead(caller: Minter, key: Pick<KeyRecord, "id">): void {
  if (caller.key.id === key.id || holdsAny(caller.permissions, ["key_read"])) return;
  throw fail("permission_denied", { param: "key_read" });
}

/**
 * Holds a caller to changing itself or, with key_write, keys within its own permissions. Fails with
 * `permission_denied`.
 */
export function checkChange(caller: Minter, key: Pick<KeyRecord, "id" | "permissions">): void {
  if (caller.key.id === key.id) return;
  if (!holdsAny(caller.permissions, ["key_write"])) throw fail("permission_denied", { param: "key_write" });
  const own = caller.permissions;
  if (own === null) return;
  if (key.permissions === null) throw fail("permission_denied", { param: "permissions" });
  const beyond = key.permissions.find((permission) => !own.includes(permission));
  if (beyond !== undefined) throw fail("permission_denied", { param: beyond });
}
