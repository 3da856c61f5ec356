import { z } from "zod";

const Quota = z.int().min(0).max(1_000_000_000).nullable().default(null);

/** The limits of a plan; null is no limit. */
export const Plan = z.strictObject({
  inboxes: Quota.describe("Inboxes of the account and its workspaces."),
  monthly_sends: Quota.describe("Recipients of mail in a month (UTC)."),
  custom_domains: Quota.describe("Domains of its own."),
  workspaces: Quota.describe("Workspaces."),
  storage_mb: Quota.describe("Megabytes (1024 × 1024 bytes) of stored mail."),
  phone_numbers: Quota.describe("Active phone numbers."),
  voice_minutes_per_number: Quota.describe(
    "Minutes of calls in a month for each active number beyond the included ones.",
  ),
  voice_minutes: Quota.describe(
    "Minutes of calls in a month, besides those of the numbers; no limit where both are null.",
  ),
  included_numbers: Quota.describe("The numbers that bring no minutes of their own."),
  owner_bonus_percent: z
    .int()
    .min(0)
    .max(1000)
    .nullable()
    .default(null)
    .describe("By how much a verified owner at an outside address raises `monthly_sends`."),
  upgrade_url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullable()
    .default(null)
    .describe("Where to get a larger plan."),
});
export type Plan = z.infer<typeof Plan>;

/** The name of a plan. */
const PlanName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/);

/** The plans of a service: `default` names the plan of accounts that were given no other. */
export const Plans = z
  .strictObject({ default: PlanName, plans: z.record(PlanName, Plan) })
  .refine((given) => Object.hasOwn(given.plans, given.default), {
    path: ["default"],
    error: "must be the name of one of the plans",
  });
export type Plans = z.infer<typeof Plans>;
