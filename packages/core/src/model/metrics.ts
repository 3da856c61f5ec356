import { z } from "zod";
import { EVENT_TYPES, type EventType } from "../catalogue/events.ts";
import { Timestamp } from "./fields.ts";

/** What is counted: every event type, and mail that was silently dropped. */
export const METRIC_NAMES = [...EVENT_TYPES, "inbound.dropped"] as const;
export type MetricName = EventType | "inbound.dropped";

/** The length of a bucket: an hour or a day, in UTC. */
export const Period = z.enum(["hour", "day"]);
export type Period = z.infer<typeof Period>;

/** How often something happened to an account in one hour or day. Kept for 90 days. */
export const MetricCountRecord = z.object({
  account_id: z.string(),
  name: z.string(),
  /** The period and start of the bucket, such as `hour:2026-11-20T13`. */
  bucket: z.string(),
  starts_at: Timestamp,
  count: z.int(),
});
export type MetricCountRecord = z.infer<typeof MetricCountRecord>;

/** Event counts per bucket; `counts` omits zeros. */
export const EventMetrics = z.object({
  object: z.literal("metrics").default("metrics"),
  period: Period,
  data: z.array(
    z.object({ bucket_start: Timestamp, counts: z.partialRecord(z.enum(METRIC_NAMES), z.int()) }),
  ),
});

/** What an account has now. */
export const UsageMetrics = z.object({
  object: z.literal("usage").default("usage"),
  inboxes: z.int(),
  messages: z.int(),
  threads: z.int(),
  webhooks: z.int(),
});

/** Delivery rates of outgoing mail, per recipient, as shares of what was sent, from 0 to 1. */
export const RateMetrics = z.object({
  object: z.literal("rates").default("rates"),
  from: Timestamp,
  to: Timestamp,
  sent: z.int(),
  bounced: z.int(),
  complained: z.int(),
  bounce_rate: z.number(),
  complaint_rate: z.number(),
});
