import { LIMITS } from "../../catalogue/limits.ts";
import { endPersons } from "../../kernel/addresses/address-registry.ts";
import type { Work } from "../../kernel/work.ts";
import { giveBackToPlan } from "../../limits/plans/index.ts";
import { iso } from "../../model/fields.ts";
import { endAccess } from "./end-access.ts";

/** The immediate effects of deleting an account. */
export interface Deleted {
  deleted_at: string;
  /** The time by which everything is erased. */
  erased_by: string;
  keys_revoked: number;
}

/**
 * Deletes an account in the caller's transaction: all access to it ends and nothing new can be created in it. The job
 * `account.erase` erases its contents. Deleting a sub-account also deletes its workspace. Returns undefined when the
 * account is gone or already deleted: of two concurrent callers, one deletes it.
 */
export async function beginErasing(work: Work, account_id: string, now: Date): Promise<Deleted | undefined> {
  const deleted_at = iso(now);
  // Without the noted address nobody can take charge of it meanwhile.
  const change = { deleted_at, first_owner_email: null, lifecycle_emails: "off" as const };
  const noted = (await work.get("accounts", account_id))?.first_owner_email ?? null;
  const [account] = await work.update("accounts", { id: account_id, deleted_at: null }, change);
  if (account === undefined) return undefined;
  const { parent_account_id } = account;
  if (parent_account_id !== null && (await work.delete("workspaces", { account_id })) > 0)
    await giveBackToPlan(work, parent_account_id, "workspaces", 1);
  const { keys_revoked } = await endAccess(work, account_id, now);
  await endPersons(work, noted === null ? [] : [noted]);
  work.job({ kind: "account.erase", subject_id: account_id });
  return { deleted_at, erased_by: iso(new Date(now.getTime() + LIMITS.account_erased_ms)), keys_revoked };
}
