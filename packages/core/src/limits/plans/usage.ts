import { rootAccount } from "../../kernel/access/root-account.ts";
import { hasVerifiedOwner } from "../../kernel/addresses/verified-owner.ts";
import type { Services } from "../../kernel/context.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import type { StorageReader } from "../../ports/storage.ts";
import {
  type CountedResource,
  fitsStorage,
  isMonthly,
  megabytesOf,
  monthlySendsOf,
  monthOf,
  type PlanResource,
  planLimitExceeded,
  planNamed,
  type UsageNotice,
  type Use,
  usageNotices,
  voiceMinutesOf,
} from "./rules.ts";

type Reader = Pick<Services, "options"> & { storage: Pick<StorageReader, "find" | "get"> };

/** The usage of an account and its sub-accounts of the resources that plans limit. */
export interface PlanUsage {
  /** The name of its plan; null where there are no plans. */
  plan: string | null;
  usage: Record<PlanResource, Use>;
  notices: UsageNotice[];
}

/** Returns an account's plan and usage, at a cost that doesn't grow with the stored data. */
export async function planUsage(
  { storage, options }: Reader,
  account: AccountRecord,
  now: Date,
): Promise<PlanUsage> {
  const plan = planNamed(options.plans, account.plan);
  const quotas = plan?.quotas;
  const rows = await storage.find("plan_usage", {
    where: { account_id: account.id, period: { in: ["", monthOf(now)] } },
    limit: MAX_ROWS,
  });
  const usedOf = (resource: CountedResource): number =>
    rows.find((row) => row.resource === resource && row.period === (isMonthly(resource) ? monthOf(now) : ""))
      ?.used ?? 0;
  const owned =
    (quotas?.owner_bonus_percent ?? 0) > 0 &&
    (await hasVerifiedOwner({ storage, options }, { account_id: account.id }));
  const usage = {
    inboxes: { used: usedOf("inboxes"), limit: quotas?.inboxes ?? null },
    monthly_sends: {
      used: usedOf("monthly_sends"),
      limit: quotas === undefined ? null : monthlySendsOf(quotas, owned),
    },
    workspaces: { used: usedOf("workspaces"), limit: quotas?.workspaces ?? null },
    custom_domains: { used: usedOf("custom_domains"), limit: quotas?.custom_domains ?? null },
    phone_numbers: { used: usedOf("phone_numbers"), limit: quotas?.phone_numbers ?? null },
    voice_minutes: {
      used: usedOf("voice_minutes"),
      limit: quotas === undefined ? null : voiceMinutesOf(quotas, usedOf("phone_numbers")),
    },
    storage_mb: { used: megabytesOf(bytesOf(account)), limit: quotas?.storage_mb ?? null },
  };
  return { plan: plan?.name ?? null, usage, notices: usageNotices(usage) };
}

/**
 * Fails with `plan_limit_exceeded` when `more` bytes don't fit into the plan's storage. Incoming mail is never
 * refused for it, and concurrent calls may each see the same free space: the quota is exceeded at most by what is
 * under way.
 */
export async function checkStorage(
  { storage, options }: Reader,
  account_id: string,
  more: number,
): Promise<void> {
  if (options.plans === null) return;
  const account = await rootAccount(storage, account_id);
  if (account === undefined) return;
  const quotas = planNamed(options.plans, account.plan)?.quotas;
  const limit = quotas?.storage_mb ?? null;
  if (quotas === undefined || limit === null || fitsStorage(bytesOf(account), more, limit)) return;
  throw planLimitExceeded({
    resource: "storage_mb",
    limit,
    used: megabytesOf(bytesOf(account)),
    upgrade_url: quotas.upgrade_url,
  });
}

/** A resource has one row in total, or one per month; older months are deleted. */
const MAX_ROWS = 20;

const bytesOf = ({
  storage_bytes,
  sub_account_bytes,
}: Pick<AccountRecord, "storage_bytes" | "sub_account_bytes">): number => storage_bytes + sub_account_bytes;
