import { z } from "zod";
import { fail } from "../catalogue/errors.ts";
import { limits } from "../catalogue/limits.ts";
import { dayOf } from "../health/index.ts";
import type { AccountContext } from "../kernel/context.ts";
import { operation } from "../kernel/operation.ts";
import { iso, TimestampInput } from "../model/fields.ts";
import { EventMetrics, metricNames, Period, RateMetrics, UsageMetrics } from "../model/metrics.ts";
import { bucketsBetween, rangeOf } from "./rules.ts";
import { countMessages } from "./usage.ts";

const allow = ["metrics_read"] as const;
const Range = { from: TimestampInput.optional(), to: TimestampInput.optional() };

/** What happened to an account in numbers (decisions, section 11). */
export const metrics = {
  events: operation({
    summary:
      "How often each kind of event happened, by hour or by day, over at most 90 days; dropped mail is counted too.",
    scope: "account",
    allow,
    input: z.object({ period: Period.default("day"), ...Range }),
    output: EventMetrics,
    async run(ctx, { period, ...asked }) {
      const buckets = bucketsBetween(period, checkedRange(ctx, period, asked));
      const first = buckets[0]?.bucket ?? "";
      const last = buckets.at(-1)?.bucket ?? "";
      const counts = new Map<string, Record<string, number>>(buckets.map(({ bucket }) => [bucket, {}]));
      const found = await Promise.all(
        metricNames.map((name) =>
          ctx.storage.find("metric_counts", {
            where: { account_id: ctx.account_id, name, bucket: { gte: first, lte: last } },
            order: { by: "bucket", direction: "asc" },
            limit: buckets.length,
          }),
        ),
      );
      for (const { bucket, name, count } of found.flat())
        Object.assign(counts.get(bucket) ?? {}, { [name]: count });
      return {
        period,
        data: buckets.map(({ bucket, starts_at }) => ({
          bucket_start: starts_at,
          counts: counts.get(bucket) ?? {},
        })),
      };
    },
  }),

  usage: operation({
    summary: "What the account holds now.",
    scope: "account",
    allow,
    input: z.object({}),
    output: UsageMetrics,
    async run(ctx) {
      const { storage, account_id } = ctx;
      const count = (table: "inboxes" | "threads" | "webhooks") =>
        storage.count(table, { account_id }, limits.usage_counted_to);
      const [inboxes, messages, threads, webhooks] = await Promise.all([
        count("inboxes"),
        countMessages(storage, account_id),
        count("threads"),
        count("webhooks"),
      ]);
      return { inboxes, messages, threads, webhooks };
    },
  }),

  rates: operation({
    summary: "How much of the mail sent bounced or was complained about, by UTC days, over at most 90 days.",
    scope: "account",
    allow,
    input: z.object(Range),
    output: RateMetrics,
    async run(ctx, asked) {
      const { from, to } = checkedRange(ctx, "day", asked);
      const days = await ctx.storage.find("sending_days", {
        where: { account_id: ctx.account_id, day: { gte: dayOf(from), lte: dayOf(to) } },
        order: { by: "day", direction: "asc" },
        limit: limits.metrics_days,
      });
      const sum = (count: "sent" | "bounced" | "complained") =>
        days.reduce((total, day) => total + day[count], 0);
      const counts = { sent: sum("sent"), bounced: sum("bounced"), complained: sum("complained") };
      const share = (count: number) => (counts.sent === 0 ? 0 : count / counts.sent);
      return {
        from: iso(from),
        to: iso(to),
        ...counts,
        bounce_rate: share(counts.bounced),
        complaint_rate: share(counts.complained),
      };
    },
  }),
};

function checkedRange(
  { now }: AccountContext,
  period: Period,
  asked: { from?: string | undefined; to?: string | undefined },
): { from: Date; to: Date } {
  const range = rangeOf(period, asked, now);
  if (range === undefined) throw fail("invalid_range", { param: asked.from === undefined ? "to" : "from" });
  return range;
}
