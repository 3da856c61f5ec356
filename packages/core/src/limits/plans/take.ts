import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Plan } from "../../catalogue/plans.ts";
import { rootAccount, rootOf } from "../../kernel/access/root-account.ts";
import { hasVerifiedOwner } from "../../kernel/addresses/verified-owner.ts";
import type { Services } from "../../kernel/context.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import type { StorageReader, StorageWriter } from "../../ports/storage.ts";
import {
  type CountedResource,
  isMonthly,
  type MonthlyResource,
  monthlySendsOf,
  monthOf,
  planLimitExceeded,
  planNamed,
  voiceMinutesOf,
} from "./rules.ts";

/**
 * Takes an amount of a resource from an account's plan, in the transaction that stores what needs it; a sub-account's
 * use counts for its parent. The quota holds however many processes take at once. Fails with `plan_limit_exceeded`;
 * the caller's rollback gives back what was taken. Without plans, monthly resources aren't counted, and an account
 * has 50 workspaces and 20 domains. A deleted account gets nothing more: `account_deleted`.
 */
export async function takeFromPlan(
  { options }: Pick<Services, "options">,
  work: StorageWriter,
  account_id: string,
  resource: CountedResource,
  amount: number,
  now: Date,
): Promise<void> {
  if (options.plans === null && isMonthly(resource)) return;
  const own = await work.get("accounts", account_id);
  const account = own && (await rootOf(work, own));
  if (own === undefined || account === undefined) throw fail("account_deleted");
  if (own.deleted_at !== null || account.deleted_at !== null) throw fail("account_deleted");
  const quotas = planNamed(options.plans, account.plan)?.quotas;
  const place = { account_id: account.id, resource, period: isMonthly(resource) ? monthOf(now) : "" };
  const limit =
    quotas === undefined ? withoutPlan(resource) : await limitOf(work, account.id, quotas, resource);
  if (await take(work, place, amount, limit)) return;
  // Only calls that need the bonus pay for checking whether there is an owner.
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

/** Returns the limit of a resource where the service has no plans; null for no limit. */
function withoutPlan(resource: CountedResource): number | null {
  if (resource === "workspaces") return LIMITS.workspaces_without_plan;
  return resource === "custom_domains" ? LIMITS.domains_without_plan : null;
}

/** Fails if `takeFromPlan` would fail now, but takes nothing. */
export async function checkPlan(
  { options }: Pick<Services, "options">,
  reader: StorageReader,
  account_id: string,
  resource: MonthlyResource,
  amount: number,
  now: Date,
): Promise<void> {
  const account = await rootAccount(reader, account_id);
  const quotas = account && planNamed(options.plans, account.plan)?.quotas;
  if (account === undefined || quotas === undefined) return;
  const limit = await limitOf(reader, account.id, quotas, resource);
  const where = { account_id: account.id, resource, period: monthOf(now) };
  const [found] = await reader.find("plan_usage", { where, limit: 1 });
  const used = found?.used ?? 0;
  if (limit === null || used + amount <= limit) return;
  if (resource === "monthly_sends" && (quotas.owner_bonus_percent ?? 0) > 0) {
    const owned = await hasVerifiedOwner({ storage: reader, options }, { account_id: account.id });
    const raised = monthlySendsOf(quotas, owned);
    if (raised === null || used + amount <= raised) return;
  }
  throw planLimitExceeded({ resource, limit, used, upgrade_url: quotas.upgrade_url });
}

/** Gives back inboxes, workspaces, domains or phone numbers, in the transaction that deletes them. */
export async function giveBackToPlan(
  work: StorageWriter,
  account_id: string,
  resource: Exclude<CountedResource, MonthlyResource>,
  amount: number,
): Promise<void> {
  const account = await rootAccount(work, account_id);
  const place = { account_id: account?.id ?? account_id, resource, period: "" };
  await work.update("plan_usage", place, { used: { add: -amount } });
}

/** Gives back unused minutes that were taken for a call at `taken_at`, to the month that they were taken from. */
export async function giveBackMinutes(
  work: StorageWriter,
  account_id: string,
  minutes: number,
  taken_at: Date,
): Promise<void> {
  const account = await rootAccount(work, account_id);
  const place = {
    account_id: account?.id ?? account_id,
    resource: "voice_minutes",
    period: monthOf(taken_at),
  };
  await work.update("plan_usage", place, { used: { add: -minutes } });
}

/** Returns the plan's limit of a resource, before a bonus; null for no limit. */
async function limitOf(
  reader: StorageReader,
  account_id: string,
  quotas: Plan,
  resource: CountedResource,
): Promise<number | null> {
  if (resource !== "voice_minutes") return quotas[resource];
  const where = { account_id, resource: "phone_numbers", period: "" };
  const [numbers] = await reader.find("plan_usage", { where, limit: 1 });
  return voiceMinutesOf(quotas, numbers?.used ?? 0);
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
