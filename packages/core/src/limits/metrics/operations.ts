import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { operation } from "../../kernel/operation.ts";
import { iso } from "../../model/fields.ts";
import { EventMetrics, METRIC_NAMES, Period, RateMetrics, UsageMetrics } from "../../model/metrics.ts";
import { TimestampInput } from "../../model/times.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { dayOf, sendingRates } from "../health/rules.ts";
import { bucketsBetween, rangeOf } from "./rules.ts";

const allow = ["metrics_read"] as const;
const INBOX_BATCH_SIZE = 100;
const Range = {
  from: TimestampInput.optional().describe(
    "The beginning of the range; by default as long before its end as is shown at once.",
  ),
  to: TimestampInput.optional().describe("The end of the range; now by default."),
};

/** An account's metrics. */
export const metrics = {
  events: operation({
    summary: "Counts of each event type by hour or day, over at most 90 days; dropped mail is counted too.",
    when: "Draw how much mail comes, goes and bounces.",
    example: { period: "day", from: "2026-11-13T00:00:00Z", to: "2026-11-20T00:00:00Z" },
    errors: ["invalid_range"],
    scope: "account",
    effect: "read",
    allow,
    input: z.object({ period: Period.default("day").describe("The length of a bucket."), ...Range }),
    output: EventMetrics,
    async run(ctx, { period, ...asked }) {
      const buckets = bucketsBetween(period, checkedRange(ctx, period, asked));
      const first = buckets[0]?.bucket ?? "";
      const last = buckets.at(-1)?.bucket ?? "";
      const counts = new Map<string, Record<string, number>>(buckets.map(({ bucket }) => [bucket, {}]));
      const found = await Promise.all(
        METRIC_NAMES.map((name) =>
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
    summary: "The number of inboxes, messages, threads, webhooks and phone numbers that the account has now.",
    when: "See how much the account holds.",
    scope: "account",
    effect: "read",
    allow,
    input: z.object({}),
    output: UsageMetrics,
    async run(ctx) {
      const { storage, account_id } = ctx;
      const count = (table: "inboxes" | "threads" | "webhooks") =>
        storage.count(table, { account_id }, LIMITS.usage_counted_to);
      const [inboxes, messages, threads, webhooks, phone_numbers, account] = await Promise.all([
        count("inboxes"),
        countMessages(storage, account_id),
        count("threads"),
        count("webhooks"),
        storage.count("phone_numbers", { account_id, status: "active" }, LIMITS.usage_counted_to),
        storage.get("accounts", account_id),
      ]);
      const storage_bytes = account?.storage_bytes ?? 0;
      return { inboxes, messages, threads, webhooks, phone_numbers, storage_bytes };
    },
  }),

  rates: operation({
    summary: "Bounce and complaint rates of the mail sent on the UTC days of a range of at most 90 days.",
    when: "Watch the account's reputation as a sender.",
    example: { from: "2026-11-13T00:00:00Z" },
    errors: ["invalid_range"],
    scope: "account",
    effect: "read",
    allow,
    input: z.object(Range),
    output: RateMetrics,
    async run(ctx, asked) {
      const { from, to } = checkedRange(ctx, "day", asked);
      const days = await ctx.storage.find("sending_days", {
        where: { account_id: ctx.account_id, day: { gte: dayOf(from), lte: dayOf(to) } },
        order: { by: "day", direction: "asc" },
        limit: LIMITS.metrics_days,
      });
      return {
        from: iso(from),
        to: iso(to),
        ...sendingRates(days),
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

/** The number of messages in all of an account's inboxes, counted per inbox. */
async function countMessages(storage: StorageReader, account_id: string): Promise<number> {
  let total = 0;
  let after = "";
  for (;;) {
    const inboxes = await storage.find("inboxes", {
      where: { account_id, id: { gt: after } },
      order: { by: "id", direction: "asc" },
      limit: INBOX_BATCH_SIZE,
    });
    const counts = await Promise.all(
      inboxes.map(({ id }) => storage.count("messages", { inbox_id: id }, LIMITS.usage_counted_to)),
    );
    total += counts.reduce((sum, count) => sum + count, 0);
    const last = inboxes.at(-1);
    if (last === undefined || inboxes.length < INBOX_BATCH_SIZE) return total;
    after = last.id;
  }
}
