import { z } from "zod";
import { EVENT_TYPES, type EventType } from "../catalogue/events.ts";
import { Timestamp } from "./fields.ts";

/** The counters: one for each event type, one for mail that was silently dropped, and one for jobs that were given up. */
export const METRIC_NAMES = [...EVENT_TYPES, "inbound.dropped", "job.given_up"] as const;
export type MetricName = EventType | "inbound.dropped" | "job.given_up";

/** The length of a bucket: an hour or a day, in UTC. */
export const Period = z.enum(["hour", "day"]);
export type Period = z.infer<typeof Period>;

/** The count of an event in an account in one hour or day. Kept for 90 days. */
export const MetricCountRecord = z.object({
  account_id: z.string().describe("The account that it belongs to."),
  name: z.string().describe("What is counted: an event type, `inbound.dropped` or `job.given_up`."),
  bucket: z.string().describe("The period and start of the bucket, such as `hour:2026-11-20T13`."),
  starts_at: Timestamp.describe("When the bucket begins (ISO 8601, UTC)."),
  count: z.int().describe("How often it happened."),
});
export type MetricCountRecord = z.infer<typeof MetricCountRecord>;

/** Event counts per bucket; `counts` omits zeros. */
export const EventMetrics = z.object({
  object: z.literal("metrics").default("metrics"),
  period: Period.describe("The length of a bucket."),
  data: z
    .array(
      z.object({
        bucket_start: Timestamp.describe("When the bucket begins (ISO 8601, UTC)."),
        counts: z
          .partialRecord(z.enum(METRIC_NAMES), z.int())
          .describe("How often each event happened; those that didn't are left out."),
      }),
    )
    .describe("The buckets of the range, oldest first, those without events included."),
});
export type EventMetrics = z.infer<typeof EventMetrics>;

/** The current usage of an account. */
export const UsageMetrics = z.object({
  object: z.literal("usage").default("usage"),
  inboxes: z.int().describe("How many inboxes the account has."),
  messages: z.int().describe("How many messages are stored."),
  threads: z.int().describe("How many threads are stored."),
  webhooks: z.int().describe("How many webhooks the account has."),
  phone_numbers: z.int().describe("How many active phone numbers the account has."),
  storage_bytes: z
    .int()
    .describe("The bytes of all stored messages with their attachments, and of the attachments of drafts."),
});
export type UsageMetrics = z.infer<typeof UsageMetrics>;

/** Delivery rates of outgoing mail, per recipient, as shares of what was sent, from 0 to 1. */
export const RateMetrics = z.object({
  object: z.literal("rates").default("rates"),
  from: Timestamp.describe("The beginning of the range."),
  to: Timestamp.describe("The end of the range."),
  sent: z.int().describe("How many messages were sent, counted per recipient."),
  bounced: z.int().describe("How many of them bounced."),
  complained: z.int().describe("How many of them drew a complaint."),
  bounce_rate: z.number().describe("Bounced as a share of sent, from 0 to 1."),
  complaint_rate: z.number().describe("Complaints as a share of sent, from 0 to 1."),
});
export type RateMetrics = z.infer<typeof RateMetrics>;
