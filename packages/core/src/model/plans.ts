import { z } from "zod";

/** How much an account and its sub-accounts use of what its plan limits. */
export const PlanUsageRecord = z.object({
  account_id: z.string().describe("The account; for a sub-account it is its parent."),
  resource: z
    .string()
    .describe(
      "What is used: inboxes, workspaces, custom_domains, phone_numbers, monthly_sends or voice_minutes.",
    ),
  period: z.string().describe("The month that it is counted in (UTC, YYYY-MM); empty for what stays."),
  used: z.int().describe("How much of it is used."),
});
export type PlanUsageRecord = z.infer<typeof PlanUsageRecord>;
