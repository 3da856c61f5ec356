import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** The count of an event in one time window, which is part of the name. */
export const CounterRecord = z.object({
  name: z.string().describe("What is counted, and the window that it is counted in."),
  count: z.int().describe("How often it happened."),
  expires_at: Timestamp.describe("When the window is over."),
});

export type CounterRecord = z.infer<typeof CounterRecord>;

/** One of a fixed number of slots, held until it is released or expires. */
export const SlotRecord = z.object({
  name: z.string().describe("The name of the slots."),
  holder: z.string().describe("Who holds this one."),
  expires_at: Timestamp.describe("When it is free again if it isn't released."),
});

export type SlotRecord = z.infer<typeof SlotRecord>;

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
