import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { canonicalDomain } from "./address.ts";
import { Timestamp } from "./fields.ts";
import { TimeZone } from "./times.ts";

const CLOCK_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const SENDS = "How many recipients it may write to on one day (UTC), each of a mail counted once";
const NEW_RECIPIENTS = "How many of them the account may never have written to before";
const DOMAINS = "The domains of the addresses that it may write to, each without its subdomains";
const HOURS =
  "When it may send: from `from` until before `to` in that time zone, past midnight where `to` is earlier";

/** The hours of a day in which a key may send. */
const Hours = z
  .object({
    from: z.string().describe("When they begin, as HH:MM."),
    to: z.string().describe("When they end, as HH:MM."),
    time_zone: z.string().describe("The time zone by its IANA name, such as Europe/Berlin."),
  })
  .meta({ title: "BudgetHours" });
export type Hours = z.infer<typeof Hours>;

/** The sending limits of a key; each is absent where there is none. */
export const Budget = z
  .object({
    sends_per_day: z.int().optional().describe(`${SENDS}.`),
    new_recipients_per_day: z.int().optional().describe(`${NEW_RECIPIENTS}.`),
    recipient_domains: z.array(z.string()).optional().describe(`${DOMAINS}.`),
    hours: Hours.optional().describe(`${HOURS}.`),
  })
  .meta({ title: "Budget" });
export type Budget = z.infer<typeof Budget>;

/** The remainder of the caller's budgets: its own, and those of the keys that it descends from. */
export const BudgetLeft = Budget.extend({
  sends_left: z
    .int()
    .nullable()
    .describe(
      "How many more recipients it may write to today, by all budgets that count; null for no limit.",
    ),
  new_recipients_left: z
    .int()
    .nullable()
    .describe("How many of them may be new to the account; null for no limit."),
  opens_at: Timestamp.nullable().describe("When it may send again; null while its hours allow it."),
  resets_at: Timestamp.describe("When the day's counts begin anew (ISO 8601, UTC)."),
}).meta({ title: "BudgetLeft" });
export type BudgetLeft = z.infer<typeof BudgetLeft>;

const PerDay = z.int().min(0).max(LIMITS.budget_per_day);

const ClockTime = z
  .string()
  .regex(CLOCK_TIME, { error: "must be a time such as 09:30, from 00:00 to 23:59" });

const RecipientDomain = z.string().transform((text, ctx) => {
  const domain = canonicalDomain(text);
  if (domain?.includes(".")) return domain;
  ctx.addIssue({ code: "custom", message: "must be a domain such as example.com" });
  return z.NEVER;
});

/** A budget as input. */
export const BudgetInput = z
  .strictObject({
    sends_per_day: PerDay.optional().describe(`${SENDS}: from 0 to ${LIMITS.budget_per_day}.`),
    new_recipients_per_day: PerDay.optional().describe(
      `${NEW_RECIPIENTS}: from 0, for none, to ${LIMITS.budget_per_day}.`,
    ),
    recipient_domains: z
      .array(RecipientDomain)
      .min(1)
      .max(LIMITS.budget_domains)
      .optional()
      .describe(`${DOMAINS}; from 1 to ${LIMITS.budget_domains}.`),
    hours: z
      .strictObject({
        from: ClockTime.describe("When they begin, as HH:MM from 00:00 to 23:59."),
        to: ClockTime.describe("When they end, as HH:MM from 00:00 to 23:59; another time than `from`."),
        time_zone: TimeZone.describe(
          "The time zone by its IANA name, such as Europe/Berlin; clock changes are followed.",
        ),
      })
      .refine(({ from, to }) => from !== to, { error: "must end at another time than they begin" })
      .optional()
      .describe(`${HOURS}.`),
  })
  .refine((budget) => Object.values(budget).some((limit) => limit !== undefined), {
    error: "must have at least one limit; null is no budget",
  })
  .meta({ title: "BudgetInput" });

/** An address that an account has written to, which distinguishes new recipients from others. */
export const RecipientRecord = z.object({
  account_id: z.string().describe("The account that wrote to it."),
  address: z.string().describe("The address in its canonical form."),
  first_at: Timestamp.describe("When it was first written to, or a person approved that it is."),
  left_at: Timestamp.nullable().describe("When mail first left to it; null if that isn't known."),
  approved_at: Timestamp.nullable().describe(
    "When a person last approved mail to it and asked to remember it; null if nobody did.",
  ),
  inbox_id: z.string().nullable().describe("The inbox that it was approved for; null if it wasn't."),
});
export type RecipientRecord = z.infer<typeof RecipientRecord>;
