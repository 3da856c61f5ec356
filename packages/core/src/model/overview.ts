import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { Approval } from "./approvals.ts";
import { Domain } from "./domains.ts";
import { Timestamp } from "./fields.ts";
import { MessageSummary } from "./messages.ts";
import { Refusal } from "./refusals.ts";
import { Update } from "./updates.ts";
import { Webhook } from "./webhooks.ts";

const counted = `at most ${LIMITS.overview_counted_to} are counted`;

/** A question of an agent that waits for an answer. */
const WaitingQuestion = z
  .object({
    inbox_id: z.string().describe("The inbox that asks."),
    inbox_email: z.string().describe("Its address."),
    update: Update.describe("The update with the question."),
  })
  .meta({ title: "OverviewQuestion" });

/** Calls that were refused again and again. */
export const OverviewRefusal = Refusal.pick({ key_id: true, client_id: true, operation: true })
  .extend({
    name: z
      .string()
      .nullable()
      .describe("The key's or the app's name; null for callers who may not read it, and once it is gone."),
    code: z.string().describe("The error's code."),
    count: z.int().describe("How often it was refused within 24 hours."),
    last_at: Timestamp.describe("When it was last refused (ISO 8601, UTC)."),
  })
  .meta({ title: "OverviewRefusal" });
export type OverviewRefusal = z.infer<typeof OverviewRefusal>;

/** An inbox and what happened there today. */
export const OverviewAgent = z
  .object({
    inbox_id: z.string().describe("The inbox's id."),
    email: z.string().describe("Its address."),
    display_name: z.string().nullable().describe("Its name; null without one."),
    received: z
      .int()
      .nullable()
      .describe(`How many messages came today; ${counted}. Null for callers who may not read mail.`),
    sent: z
      .int()
      .nullable()
      .describe(
        `How many messages left today, letters to the owners among them; ${counted}. Null for callers who may not read mail.`,
      ),
    tasks_open: z
      .int()
      .nullable()
      .describe(
        `How many tasks are pending or in progress; ${counted}. Null for callers who may not read them.`,
      ),
    tasks_done: z
      .int()
      .nullable()
      .describe(`How many tasks were done today; ${counted}. Null for callers who may not read them.`),
    last_at: Timestamp.nullable().describe(
      "When its newest message came or left; null without one, and for callers who may not read mail.",
    ),
  })
  .meta({ title: "OverviewAgent" });
export type OverviewAgent = z.infer<typeof OverviewAgent>;

const More = z
  .object({
    approvals: z.boolean().describe("Whether further approvals are pending."),
    questions: z.boolean().describe("Whether further questions wait."),
    held: z.boolean().describe("Whether more mail is held."),
    failed: z.boolean().describe("Whether more mail failed."),
    webhooks: z.boolean().describe("Whether further webhooks are disabled."),
    domains: z.boolean().describe("Whether further domains are degraded or failed."),
    refusals: z.boolean().describe("Whether more was refused as often."),
    agents: z.boolean().describe("Whether there are further inboxes."),
  })
  .meta({ title: "OverviewMore" });

/** An account at a glance: whatever waits for a person, and the work of its agents today. */
export const Overview = z.object({
  object: z.literal("overview").default("overview"),
  day_start: Timestamp.describe("When today began in the time zone that was asked for (ISO 8601, UTC)."),
  approvals: z
    .array(Approval)
    .describe(`The pending approvals, those that expire first at the top; at most ${LIMITS.overview_items}.`),
  questions: z
    .array(WaitingQuestion)
    .describe(`The questions that nobody has answered, newest first; at most ${LIMITS.overview_items}.`),
  held: z
    .array(MessageSummary)
    .describe(`The mail of the last 30 days that is held, newest first; at most ${LIMITS.overview_items}.`),
  failed: z
    .array(MessageSummary)
    .describe(
      `The mail of the last 7 days that could not be sent, or that bounced for good, newest first; at most ${LIMITS.overview_items}.`,
    ),
  webhooks: z
    .array(
      Webhook.pick({
        id: true,
        url: true,
        disabled_at: true,
        consecutive_failures: true,
        last_delivery_status: true,
      }).meta({ title: "OverviewWebhook" }),
    )
    .describe(
      `The webhooks that the service disabled because deliveries failed, the latest first; at most ${LIMITS.overview_items}.`,
    ),
  domains: z
    .array(Domain.pick({ id: true, domain: true, status: true }).meta({ title: "OverviewDomain" }))
    .describe(`The domains that are degraded or failed, newest first; at most ${LIMITS.overview_items}.`),
  refusals: z
    .array(OverviewRefusal)
    .describe(
      `What was refused to one caller at least ${LIMITS.overview_refusals_from} times within 24 hours, with the same operation and error, most often first; at most ${LIMITS.overview_refusals}. The newest ${LIMITS.overview_refusals_read} records are looked at.`,
    ),
  agents: z
    .array(OverviewAgent)
    .describe(
      `The inboxes, those with the newest mail first; at most ${LIMITS.overview_agents}. Of more than that, those with mail today are taken, as far as the newest ${LIMITS.overview_threads_read} threads tell, then the newest inboxes.`,
    ),
  more: More.describe("What there is more of than is shown."),
});
export type Overview = z.infer<typeof Overview>;
