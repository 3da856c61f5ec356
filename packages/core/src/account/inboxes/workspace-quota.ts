import { fail } from "../../catalogue/errors.ts";
import type { StorageReader, StorageWriter } from "../../ports/storage.ts";

/**
 * Takes an inbox off the quota of the account's workspace, in the transaction that creates it; other accounts
 * have no quota here. Fails with `plan_limit_exceeded`.
 */
export async function takeFromWorkspace(
  tx: Pick<StorageReader, "find"> & Pick<StorageWriter, "update">,
  account_id: string,
): Promise<void> {
  const [workspace] = await tx.find("workspaces", { where: { account_id }, limit: 1 });
  if (workspace === undefined) return;
  const taken = await tx.update(
    "workspaces",
    { account_id, inboxes_left: { gte: 1 } },
    { inboxes_left: { add: -1 } },
  );
  if (taken.length > 0) return;
  const limit = workspace.inbox_quota;
  throw fail("plan_limit_exceeded", {
    message: `The workspace has all the inboxes of its quota: ${limit}.`,
    fix: "Delete an inbox of the workspace, or let the account that it belongs to raise its inbox_quota.",
    quota: { resource: "inboxes", limit, used: limit, upgrade_url: null },
  });
}

/** Gives the quota of the account's workspace an inbox back, in the transaction that deletes it. */
export async function giveBackToWorkspace(
  tx: Pick<StorageWriter, "update">,
  account_id: string,
): Promise<void> {
  await tx.update("workspaces", { account_id }, { inboxes_left: { add: 1 } });
}
