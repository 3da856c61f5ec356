import { fail } from "../../catalogue/errors.ts";
import type { Permission } from "../../catalogue/permissions.ts";
import type { AccountCaller } from "../../kernel/access/caller.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import type { KeyRecord } from "../../model/keys.ts";
import type { WorkspaceRecord } from "../../model/workspaces.ts";
import type { KeyTerms } from "../accounts/keys/rules.ts";

type Quota = Pick<WorkspaceRecord, "inbox_quota" | "inboxes_left">;

/** Returns the number of inboxes that a workspace has. */
export const usedBy = ({ inbox_quota, inboxes_left }: Quota): number => inbox_quota - inboxes_left;

/** A sub-account has no sub-accounts. Fails with `permission_denied`. */
export function checkNotNested({ parent_account_id }: Pick<AccountRecord, "parent_account_id">): void {
  if (parent_account_id !== null)
    throw fail("permission_denied", {
      message: "This account is a workspace's own; a workspace has no workspaces.",
      fix: "Create it with a key of the account that the workspace belongs to.",
    });
}

/**
 * Checks that a caller may act within the workspaces of their account: keys that aren't limited to inboxes, and
 * account owners. Fails with `permission_denied`.
 */
export function checkMayActWithin(caller: Pick<AccountCaller, "type" | "inbox_ids">): void {
  if (caller.type !== "app" && caller.inbox_ids === null) return;
  throw fail("permission_denied", {
    param: "X-Letterslot-Workspace",
    message: "Only keys of the whole account and its account owners can act within its workspaces.",
    fix: "Use an API key that is not limited to inboxes, or a key of the workspace itself.",
  });
}

/** The terms of a workspace's first key: all of its sub-account, with what its creator may and for as long. */
export const firstWorkspaceKey = (creator: {
  permissions: readonly Permission[] | null;
  key: Pick<KeyRecord, "expires_at"> | null;
}): KeyTerms => ({
  inbox_id: null,
  permissions: creator.permissions === null ? null : [...creator.permissions],
  expires_at: creator.key?.expires_at ?? null,
  // The creator's own counts for it too, because it descends from that key.
  budget: null,
});

/** A workspace's columns with a new quota. Fails with `quota_below_usage`. */
export function withQuota(before: Quota, inbox_quota: number): Quota {
  const used = usedBy(before);
  if (inbox_quota < used)
    throw fail("quota_below_usage", {
      param: "inbox_quota",
      message: `The workspace has ${used} inboxes; its quota can't be ${inbox_quota}.`,
    });
  return { inbox_quota, inboxes_left: inbox_quota - used };
}

/** Fails with `workspace_not_empty` while a workspace has inboxes. */
export function checkEmpty(workspace: Quota): void {
  const used = usedBy(workspace);
  if (used > 0)
    throw fail("workspace_not_empty", {
      param: "delete_inboxes",
      message: used === 1 ? "The workspace has an inbox." : `The workspace has ${used} inboxes.`,
    });
}
