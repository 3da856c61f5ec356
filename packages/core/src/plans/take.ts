import { fail } from "../catalogue/errors.ts";
import type { Services } from "../kernel/context.ts";
import { rootAccount, rootOf } from "../kernel/root-account.ts";
import { hasVerifiedOwner } from "../kernel/verified-owner.ts";
import type { AccountRecord } from "../model/accounts.ts";
import type { StorageWriter } from "../ports/storage.ts";
import { type CountedResource, monthlySendsOf, monthOf, planLimitExceeded, planNamed } from "./rules.ts";

/**
 * Takes an amount of a resource from the plan of an account, in the transaction that stores what needs it: a
 * sub-account's use is its parent's. However many processes take at once, the plan's quota holds. Fails with
 * `plan_limit_exceeded`; the caller's rollback gives back what was taken. Without plans, monthly sends aren't
 * counted. A deleted account gets no more of anything: `account_deleted`.
 */
export async function takeFromPlan(
  { options }: Pick<Services, "options">,
  work: StorageWriter,
  account_id: string,
  resource: CountedResource,
  amount: number,
  now: Date,
): Promise<void> {
  if (options.plans === null && resource === "monthly_sends") return;
  const own = await work.get("accounts", account_id);
  const account = own && (await rootOf(work, own));
  if (own === undefined || account === undefined) throw fail("account_deleted");
  if (own.deleted_at !== null || account.deleted_at !== null) throw fail("account_deleted");
  const quotas = planNamed(options.plans, account.plan)?.quotas;
  const period = resource === "monthly_sends" ? monthOf(now) : "";
  const place = { account_id: account.id, resource, period };
  const limit = quotas?.[resource] ?? null;
  if (await take(work, place, amount, limit)) return;
  // Only who needs the bonus pays for looking whether there is an owner.
  const raised =
    resource === "monthly_sends" && quotas !== undefined && (quotas.owner_bonus_percent ?? 0) > 0
      ? monthlySendsOf(quotas, await hasVerifiedOwner({ storage: work, options }, { account_id: account.id }))
      : limit;
  if (raised !== limit && (await take(work, place, amount, raised))) return;
  const [found] = await work.find("plan_usage", { where: place, limit: 1 });
  throw planLimitExceeded({
    resource,
    limit: raised ?? 0,
    used: found?.used ?? 0,
    upgrade_url: quotas?.upgrade_url ?? null,
  });
}

/** Gives inboxes, workspaces or domains back that are gone, in the transaction that deletes them. */
export async function giveBackToPlan(
  work: StorageWriter,
  account_id: string,
  resource: Exclude<CountedResource, "monthly_sends">,
  amount: number,
): Promise<void> {
  const account = await rootAccount(work, account_id);
  const place = { account_id: account?.id ?? account_id, resource, period: "" };
  await work.update("plan_usage", place, { used: { add: -amount } });
}

type Place = { account_id: AccountRecord["id"]; resource: CountedResource; period: string };

/** The condition is part of the write, so that two processes can't both take the last one. */
async function take(
  work: StorageWriter,
  place: Place,
  amount: number,
  limit: number | null,
): Promise<boolean> {
  const add = async () => {
    const room = limit === null ? {} : { used: { lte: limit - amount } };
    return (await work.update("plan_usage", { ...place, ...room }, { used: { add: amount } })).length > 0;
  };
  if (await add()) return true;
  if (limit !== null && amount > limit) return false;
  const { inserted } = await work.insert("plan_usage", { ...place, used: amount });
  if (!inserted) return add();
  const { account_id, resource, period } = place;
  // Of earlier months nothing is asked any more.
  if (period !== "") await work.delete("plan_usage", { account_id, resource, period: { lt: period } });
  return true;
}
