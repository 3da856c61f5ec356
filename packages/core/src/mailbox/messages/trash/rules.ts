import { fail } from "../../../catalogue/errors.ts";
import type { Permission } from "../../../catalogue/permissions.ts";
import { holdsAny } from "../../../catalogue/permissions.ts";
import type { AccountCaller } from "../../../kernel/access/caller.ts";
import { iso } from "../../../model/fields.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import type { DeletedBy, TrashRecord } from "../../../model/trash.ts";

import { isHeld } from "../show.ts";

const DAY_MS = 24 * 3600_000;

/** The moment until which what is deleted now can be restored. */
export const restorableUntil = (now: Date, trash_days: number): string =>
  iso(new Date(now.getTime() + trash_days * DAY_MS));

/** Names the deleting caller as the trash does. */
export function deletedBy(caller: AccountCaller): DeletedBy {
  const nobody = { key_id: null, client_id: null, email: null };
  if (caller.type === "key") return { ...nobody, type: "key", key_id: caller.key.id };
  if (caller.type === "app") return { ...nobody, type: "app", client_id: caller.client_id };
  return { ...nobody, type: "owner", email: caller.email };
}

/** Fails with `owner_only` when an agent would restore what a person deleted in their session. */
export function checkMayRestore(
  { type }: Pick<AccountCaller, "type">,
  { deleted_by }: Pick<TrashRecord, "deleted_by">,
): void {
  if (type === "owner" || deleted_by.type !== "owner") return;
  throw fail("owner_only", {
    message: "A person deleted this in their session, so only a person restores it.",
    fix: "Ask an owner to restore it in their session.",
  });
}

/** Fails with `permission_denied` unless a caller who asks for it may delete for good. */
export function checkPermanent(permissions: readonly Permission[] | null, permanent: unknown): void {
  if (permanent === undefined || permanent === false || permanent === "false") return;
  if (!holdsAny(permissions, ["message_delete"]))
    throw fail("permission_denied", { param: "message_delete" });
}

/** Whether held mail of an inbox is deleted for good by people alone: an agent could destroy what speaks against it. */
export const keepsHeld = (
  { type }: Pick<AccountCaller, "type">,
  { release_by }: Pick<InboxRecord, "release_by">,
): boolean => type !== "owner" && release_by === "authority";

/** Fails with `owner_only` when held mail is among what a caller would delete for good, and people alone may. */
export function checkMayEnd(keeps_held: boolean, messages: readonly Pick<MessageRecord, "labels">[]): void {
  if (!keeps_held || !messages.some(isHeld)) return;
  throw fail("owner_only", {
    param: "permanent",
    message: "Held mail of this inbox is deleted for good by a person alone.",
    fix: "Delete it without permanent: it goes to the trash. Or ask an owner to delete it in their session.",
  });
}

/** The bounds on the ids of one kind of record; ids sort by time within it. */
export function idsOfKind(prefix: "msg" | "thr" | "dft", order: "asc" | "desc", after: string | undefined) {
  const [gt, lt] = [`${prefix}_`, `${prefix}\``];
  if (after === undefined) return { gt, lt };
  return order === "asc" ? { gt: after, lt } : { gt, lt: after };
}
