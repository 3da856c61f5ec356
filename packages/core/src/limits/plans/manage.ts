import { fail } from "../../catalogue/errors.ts";
import type { Services } from "../../kernel/context.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import { iso } from "../../model/fields.ts";
import { planNamed } from "./rules.ts";
import { type PlanUsage, planUsage } from "./usage.ts";

/** Accounts on one page of the operator's list. */
const PAGE_ACCOUNTS = 200;

/** An account in the operator's list. */
export interface AccountSummary
  extends Pick<
    AccountRecord,
    "parent_account_id" | "created_at" | "suspended_at" | "deleted_at" | "storage_bytes"
  > {
  account_id: string;
  /** The plan in effect; null where there are no plans. Of a sub-account its parent's counts. */
  plan: string | null;
}

/** An account with what it uses, its sub-accounts included. */
export interface AccountDetails extends AccountSummary, Pick<PlanUsage, "usage"> {
  /** The first outside address that was ever verified in it. */
  first_owner_email: string | null;
}

type Managed = Pick<Services, "storage" | "options" | "clock">;

/** A page of all accounts, oldest first; `after` is the id of the last one before it. */
export async function listAccounts(
  { storage, options }: Managed,
  { after = "" }: { after?: string | undefined } = {},
): Promise<AccountSummary[]> {
  const accounts = await storage.find("accounts", {
    where: { id: { gt: after } },
    order: { by: "id", direction: "asc" },
    limit: PAGE_ACCOUNTS,
  });
  return accounts.map((account) => summaryOf(account, options));
}

/** One account. Fails with `account_not_found`. */
export async function showAccount(services: Managed, account_id: string): Promise<AccountDetails> {
  const { storage, options, clock } = services;
  const account = await storage.get("accounts", account_id);
  if (account === undefined) throw fail("account_not_found");
  const { usage } = await planUsage(services, account, clock.now());
  return { ...summaryOf(account, options), first_owner_email: account.first_owner_email, usage };
}

/**
 * Gives an account a plan, or with null the default one. Fails with `account_not_found`, or with
 * `invalid_request` for an unknown plan and for a sub-account.
 */
export async function setPlan(
  services: Managed,
  account_id: string,
  plan: string | null,
): Promise<AccountDetails> {
  const names = Object.keys(services.options.plans?.plans ?? {});
  if (plan !== null && !names.includes(plan))
    throw fail("invalid_request", {
      param: "plan",
      message:
        names.length === 0
          ? "The service has no plans: PLANS names no file."
          : `There is no plan ${plan}. The plans are: ${names.join(", ")}.`,
    });
  return changeAccount(services, account_id, {}, { plan });
}

/**
 * Suspends an account, with its sub-accounts, or ends that. To do it again changes nothing. Fails with
 * `account_not_found`, or with `invalid_request` for a sub-account.
 */
export async function setSuspended(
  services: Managed,
  account_id: string,
  suspended: boolean,
): Promise<AccountDetails> {
  if (!suspended) return changeAccount(services, account_id, {}, { suspended_at: null });
  const change = { suspended_at: iso(services.clock.now()) };
  return changeAccount(services, account_id, { suspended_at: null }, change);
}

async function changeAccount(
  services: Managed,
  account_id: string,
  where: Partial<Pick<AccountRecord, "suspended_at">>,
  change: Partial<Pick<AccountRecord, "plan" | "suspended_at">>,
): Promise<AccountDetails> {
  const account = await services.storage.get("accounts", account_id);
  if (account === undefined) throw fail("account_not_found");
  const { parent_account_id } = account;
  if (parent_account_id !== null)
    throw fail("invalid_request", {
      message: `${account_id} is a workspace's sub-account. Name its parent instead: ${parent_account_id}.`,
    });
  await services.storage.update("accounts", { id: account_id, ...where }, change);
  return showAccount(services, account_id);
}

const summaryOf = (
  { id, parent_account_id, created_at, suspended_at, deleted_at, storage_bytes, plan }: AccountRecord,
  { plans }: Pick<Services["options"], "plans">,
): AccountSummary => ({
  account_id: id,
  parent_account_id,
  created_at,
  plan: parent_account_id === null ? (planNamed(plans, plan)?.name ?? null) : null,
  suspended_at,
  deleted_at,
  storage_bytes,
});
