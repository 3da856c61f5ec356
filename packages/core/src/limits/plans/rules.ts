import { fail, type LetterslotError, type QuotaDetails } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Plan, Plans } from "../../catalogue/plans.ts";

/** A resource that is counted when it is taken. */
export type CountedResource = "inboxes" | "workspaces" | "custom_domains" | "phone_numbers" | MonthlyResource;

/** A resource that is counted per month. */
export type MonthlyResource = "monthly_sends" | "voice_minutes";

/** A resource whose use `me` shows. */
export type PlanResource = CountedResource | "storage_mb";

/** The used amount of a resource, and its limit in the plan; null for no limit. */
export interface Use {
  used: number;
  limit: number | null;
}

/** From `me`: a quota of which 80 percent are used. */
export interface UsageNotice {
  code: "usage_high" | "usage_full";
  resource: PlanResource;
  used: number;
  limit: number;
  message: string;
}

const BYTES_PER_MB = 1024 * 1024;

/** The name of each resource in sentences, and the advice when none is left. */
const WORDS: Record<PlanResource, { counted: string; fix: string }> = {
  inboxes: { counted: "inboxes", fix: "Delete inboxes that you no longer need" },
  workspaces: { counted: "workspaces", fix: "Delete workspaces that you no longer need" },
  custom_domains: { counted: "custom domains", fix: "Delete domains that you no longer need" },
  phone_numbers: { counted: "phone numbers", fix: "Give back phone numbers that you no longer need" },
  monthly_sends: {
    counted: "recipients a month",
    fix: "Wait for the first of next month (UTC)",
  },
  voice_minutes: {
    counted: "minutes of calls a month",
    fix: "Wait for the first of next month (UTC)",
  },
  storage_mb: { counted: "MB of stored mail", fix: "Delete mail or drafts that you no longer need" },
};

/**
 * Returns the plan named `name`; the default plan without a name, or when the file no longer has that plan. Undefined
 * when the service has no plans.
 */
export function planNamed(
  plans: Plans | null,
  name: string | null,
): { name: string; quotas: Plan } | undefined {
  if (plans === null) return undefined;
  const named = name !== null && Object.hasOwn(plans.plans, name) ? name : plans.default;
  // A file whose default is none of its plans is refused.
  return { name: named, quotas: plans.plans[named] as Plan };
}

/** The month of a time (UTC), as `YYYY-MM`. */
export const monthOf = (time: Date): string => time.toISOString().slice(0, 7);

/** The recipients that a plan allows in a month, rounded down; null is no limit. */
export function monthlySendsOf(
  { monthly_sends, owner_bonus_percent }: Plan,
  has_verified_owner: boolean,
): number | null {
  if (monthly_sends === null || !has_verified_owner) return monthly_sends;
  return Math.floor((monthly_sends * (100 + (owner_bonus_percent ?? 0))) / 100);
}

/**
 * The minutes of calls that a plan allows in a month to an account with so many numbers; null is no limit. A plan
 * that limits one of its two figures gives nothing for the other.
 */
export function voiceMinutesOf(
  { voice_minutes, voice_minutes_per_number, included_numbers }: Plan,
  numbers: number,
): number | null {
  if (voice_minutes === null && voice_minutes_per_number === null) return null;
  const counting = Math.max(0, numbers - (included_numbers ?? 0));
  return (voice_minutes ?? 0) + (voice_minutes_per_number ?? 0) * counting;
}

/** Whether a resource is counted by the month. */
export const isMonthly = (resource: CountedResource): resource is MonthlyResource =>
  resource === "monthly_sends" || resource === "voice_minutes";

/** Bytes as megabytes of a quota: a begun one counts. */
export const megabytesOf = (bytes: number): number => Math.ceil(Math.max(0, bytes) / BYTES_PER_MB);

/** Whether `more` bytes fit into a quota of megabytes. */
export const fitsStorage = (bytes: number, more: number, limit_mb: number): boolean =>
  bytes + more <= limit_mb * BYTES_PER_MB;

/** The notices of an account's use: one for each quota of which at least 80 percent are used. */
export function usageNotices(usage: Partial<Record<PlanResource, Use>>): UsageNotice[] {
  return (Object.entries(usage) as [PlanResource, Use][]).flatMap(([resource, { used, limit }]) => {
    if (limit === null || used === 0 || used < limit * LIMITS.usage_notice_share) return [];
    const code = used >= limit ? ("usage_full" as const) : ("usage_high" as const);
    const { counted, fix } = WORDS[resource];
    const message = `${used} of ${limit} ${counted} are used. ${fix}, or get a larger plan.`;
    return [{ code, resource, used, limit, message }];
  });
}

/** The failure of a call that needs more of a resource than its plan has left. */
export function planLimitExceeded(quota: QuotaDetails & { resource: PlanResource }): LetterslotError {
  const { resource, limit, used, upgrade_url } = quota;
  const { counted, fix } = WORDS[resource];
  return fail("plan_limit_exceeded", {
    message: `The account's plan allows ${limit} ${counted}, and ${used} are used.`,
    fix: `${fix}, or ${upgrade_url === null ? "ask the operator of the service for a larger plan" : "get a larger plan at upgrade_url"}.`,
    quota,
  });
}
