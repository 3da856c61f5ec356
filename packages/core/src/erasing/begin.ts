import { LIMITS } from "../catalogue/limits.ts";
import type { Work } from "../kernel/work.ts";
import { iso } from "../model/fields.ts";
import { giveBackToPlan } from "../plans/index.ts";
import { endAccess } from "./end-access.ts";

/** What deleting an account did at once. */
export interface Deleted {
  deleted_at: string;
  /** By when all of it is erased. */
  erased_by: string;
  keys_revoked: number;
}

/**
 * Deletes an account in the caller's transaction: nobody has access to it any more and nothing new is made in it. The
 * job `account.erase` erases what it holds. A sub-account goes with its workspace. Undefined when it was
 * deleted before, or is gone: of two who delete it at once, one does.
 */
export async function beginErasing(work: Work, account_id: string, now: Date): Promise<Deleted | undefined> {
  const deleted_at = iso(now);
  // Without the noted address nobody can take charge of it meanwhile.
  const change = { deleted_at, first_owner_email: null, lifecycle_emails: "off" as const };
  const [account] = await work.update("accounts", { id: account_id, deleted_at: null }, change);
  if (account === undefined) return undefined;
  const { parent_account_id } = account;
  if (parent_account_id !== null && (await work.delete("workspaces", { account_id })) > 0)
    await giveBackToPlan(work, parent_account_id, "workspaces", 1);
  const { keys_revoked } = await endAccess(work, account_id, now);
  work.job({ kind: "account.erase", subject_id: account_id });
  return { deleted_at, erased_by: iso(new Date(now.getTime() + LIMITS.account_erased_ms)), keys_revoked };
}
