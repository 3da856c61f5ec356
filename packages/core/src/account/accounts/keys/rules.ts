import { fail } from "../../../catalogue/errors.ts";
import { holdsAny, type Permission } from "../../../catalogue/permissions.ts";
import type { AccountCaller } from "../../../kernel/access/caller.ts";
import { expiryOf } from "../../../kernel/expiry.ts";
import type { Budget } from "../../../model/budgets.ts";
import { Line } from "../../../model/fields.ts";
import type { KeyRecord } from "../../../model/keys.ts";

/** The name of a key as input. */
export const KeyName = Line(200);

/** A caller as far as keys go; `key` is null for a person or an app. */
export interface Creator extends Pick<AccountCaller, "permissions" | "inbox_ids"> {
  key: Pick<KeyRecord, "id" | "expires_at"> | null;
}

/** The caller as the rules about keys see it. */
export const creatorOf = (caller: AccountCaller): Creator => ({
  ...caller,
  key: caller.type === "key" ? caller.key : null,
});

/** The terms that a caller requests for a new key. */
export interface KeyRequest {
  inbox_id?: string | null | undefined;
  permissions?: readonly Permission[] | null | undefined;
  ttl_hours?: number | undefined;
  expires_at?: string | null | undefined;
  budget?: Budget | null | undefined;
}

/** The terms of a key: null means all permissions, the whole account, no expiry and no budget of its own. */
export interface KeyTerms {
  inbox_id: string | null;
  permissions: Permission[] | null;
  expires_at: string | null;
  budget: Budget | null;
}

/**
 * The terms of a new account's first key: full access until the requested expiry. Fails with
 * `invalid_request`.
 */
export function firstKeyTerms(request: KeyRequest, now: Date): KeyTerms {
  if (typeof request.inbox_id === "string") throw fail("inbox_not_found", { param: "inbox_id" });
  if (request.permissions) {
    throw fail("invalid_request", {
      param: "permissions",
      message: "The first key of a new account has full access.",
      fix: "Omit permissions, or send Authorization: Bearer to create a restricted key.",
    });
  }
  const { budget = null } = request;
  return { inbox_id: null, permissions: null, expires_at: expiryOf(request, now) ?? null, budget };
}

/**
 * The terms of a key created with another key: never more than that key has. A scoped key's keys get its
 * inbox, and a key without an expiry expires with its creator. Fails with `inbox_not_found` or
 * `permission_escalation`.
 */
export function newKeyTerms(creator: Creator, request: KeyRequest, now: Date): KeyTerms {
  return {
    inbox_id: newKeyInbox(creator, request),
    permissions: newKeyPermissions(creator, request),
    expires_at: newKeyExpiry(creator, request, now),
    // The creator's own sending budget also applies, whatever this one allows.
    budget: request.budget ?? null,
  };
}

function newKeyInbox({ inbox_ids: own }: Creator, { inbox_id: asked }: KeyRequest): string | null {
  if (own === null) return asked ?? null;
  const inbox_id = asked === undefined && own.length === 1 ? own[0] : asked;
  if (inbox_id === null || inbox_id === undefined) throw fail("permission_escalation", { param: "inbox_id" });
  if (!own.includes(inbox_id)) throw fail("inbox_not_found", { param: "inbox_id" });
  return inbox_id;
}

function newKeyPermissions(
  { permissions: own }: Creator,
  { permissions: asked = null }: KeyRequest,
): Permission[] | null {
  if (own !== null && (asked === null || asked.some((permission) => !own.includes(permission)))) {
    throw fail("permission_escalation", { param: "permissions" });
  }
  return asked === null ? null : [...new Set(asked)];
}

function newKeyExpiry({ key }: Creator, request: KeyRequest, now: Date): string | null {
  const asked = expiryOf(request, now) ?? null;
  if (key === null || key.expires_at === null) return asked;
  if (asked !== null && asked > key.expires_at)
    throw fail("permission_escalation", {
      param: request.ttl_hours === undefined ? "expires_at" : "ttl_hours",
    });
  return asked ?? key.expires_at;
}

/** A caller may read its own key or, with key_read, others. Fails with `permission_denied`. */
export function checkMayRead(caller: Creator, key_id: unknown): void {
  if (caller.key?.id === key_id || holdsAny(caller.permissions, ["key_read"])) return;
  throw fail("permission_denied", { param: "key_read" });
}

/** A caller may change its own key or, with key_write, others. Fails with `permission_denied`. */
export function checkMayWrite(caller: Creator, key_id: unknown): void {
  if (caller.key?.id === key_id || holdsAny(caller.permissions, ["key_write"])) return;
  throw fail("permission_denied", { param: "key_write" });
}

/**
 * A caller may change its own key, and others that have no permission beyond its own. Fails with
 * `permission_denied`.
 */
export function checkChange(caller: Creator, key: Pick<KeyRecord, "id" | "permissions">): void {
  const own = caller.permissions;
  if (caller.key?.id === key.id || own === null) return;
  if (key.permissions === null) throw fail("permission_denied", { message: ALL_PERMISSIONS_MESSAGE });
  const beyond = key.permissions.find((permission) => !own.includes(permission));
  if (beyond !== undefined) throw fail("permission_denied", { param: beyond });
}

const ALL_PERMISSIONS_MESSAGE = "That key has all permissions; only a key that has them all may change it.";
