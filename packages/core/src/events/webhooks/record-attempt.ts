import type { Services } from "../../kernel/context.ts";
import { endJob, LeaseLost, postponeJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { DeliveryRecord, WebhookRecord } from "../../model/webhooks.ts";
import type { WebhookResponse } from "../../ports/webhook-http.ts";
import { disabling, outcomeOf, successChange } from "./rules.ts";
import { showWebhook } from "./show.ts";

/** The maximum stored length of a response body and of an error message. */
const MAX_EXCERPT_CHARS = 1000;
const MAX_ERROR_CHARS = 500;

/** An attempt of a delivery, and the response. */
export interface Attempt {
  job: JobRecord;
  webhook: WebhookRecord;
  delivery: DeliveryRecord;
  response: WebhookResponse;
  /** Called when the transaction with its result begins, if that is shared with others. */
  resultIsWritten(): void;
}

/** A successful attempt, and what it writes, except for its time: that is its batch's. */
export interface Success {
  job: JobRecord;
  delivery_id: string;
  change: Partial<DeliveryRecord>;
  webhook_id: string;
  webhook_change: Partial<WebhookRecord> | undefined;
  /** Called when its batch begins to be written. */
  resultIsWritten(): void;
}

/**
 * Records the result of an attempt and its consequences, under the job's lease. Passes successes to
 * `succeeded`, which may batch them. Throws `LeaseLost` when another worker has the job.
 */
export async function recordAttempt(
  services: Services,
  attempt: Attempt,
  succeeded: (success: Success) => Promise<void>,
): Promise<void> {
  const { job, webhook, delivery, response, resultIsWritten } = attempt;
  const now = services.clock.now();
  const attempts = delivery.attempts + 1;
  const policy = { retries: services.options.webhookRetries, profile: services.options.webhookProfile };
  const outcome = outcomeOf(response, attempts, policy, now);
  const change = {
    attempts,
    last_status_code: response.status,
    last_error: response.error?.slice(0, MAX_ERROR_CHARS) ?? null,
    response_excerpt: response.excerpt.slice(0, MAX_EXCERPT_CHARS),
    duration_ms: Math.round(response.duration_ms),
  };

  if (outcome.status === "succeeded") {
    return succeeded({
      job,
      delivery_id: delivery.id,
      change: { ...change, status: "succeeded", next_retry_at: null },
      webhook_id: webhook.id,
      webhook_change: successChange(webhook, response.status, now),
      resultIsWritten,
    });
  }
  const failed = { ...change, last_attempt_at: iso(now) };
  const lastAttempt = { last_delivery_status: response.status, last_delivery_at: iso(now) };
  if (outcome.status === "retry") {
    await services.storage.transaction((tx) =>
      Promise.all([
        postponeJob(tx, job, outcome.at),
        tx.update("deliveries", { id: delivery.id }, { ...failed, next_retry_at: iso(outcome.at) }),
        tx.update("webhooks", { id: webhook.id }, lastAttempt),
      ]),
    );
    return services.queue.send(outcome.at);
  }
  await unitOfWork(services, delivery.account_id, now, async (work) => {
    const [[counted]] = await Promise.all([
      work.update("webhooks", { id: webhook.id }, { ...lastAttempt, consecutive_failures: { add: 1 } }),
      work.update("deliveries", { id: delivery.id }, { ...failed, status: "failed", next_retry_at: null }),
      endJob(work, job),
    ]);
    const off = counted && disabling(counted, outcome.disable, now);
    if (counted === undefined || off === undefined) return;
    await work.update("webhooks", { id: webhook.id }, off);
    const { id, url, consecutive_failures, disabled_at, disabled_reason } = showWebhook(
      { ...counted, ...off },
      now,
    );
    const data = { webhook_id: id, url, consecutive_failures, disabled_at, disabled_reason };
    work.publish({
      type: "webhook.disabled",
      inbox_id: counted.inbox_ids.length === 1 ? (counted.inbox_ids[0] ?? null) : null,
      data,
    });
  });
}

/**
 * Records successes in one transaction, with one update per distinct change. Throws `LeaseLost` and writes
 * nothing when another worker has any of the jobs.
 */
export async function recordSuccesses(
  { storage, clock }: Pick<Services, "storage" | "clock">,
  successes: readonly Success[],
): Promise<void> {
  const last_attempt_at = iso(clock.now());
  const jobs = successes.map(({ job }) => job);
  const leases = [...new Set(jobs.flatMap(({ lease }) => lease ?? []))];
  const alike = Map.groupBy(successes, ({ change }) => JSON.stringify(change));
  const webhooks = new Map(
    successes.flatMap(({ webhook_id, webhook_change: change }) =>
      change === undefined ? [] : [[webhook_id, change] as const],
    ),
  );

  await storage.transaction(async (tx) => {
    const [ended] = await Promise.all([
      tx.delete("jobs", { id: { in: jobs.map(({ id }) => id) }, lease: { in: leases } }),
      ...[...alike.values()].map((same) =>
        tx.update(
          "deliveries",
          { id: { in: same.map(({ delivery_id }) => delivery_id) } },
          { ...same[0]?.change, last_attempt_at },
        ),
      ),
      ...[...webhooks].map(([id, change]) => tx.update("webhooks", { id }, change)),
    ]);
    if (ended !== jobs.length) throw new LeaseLost(jobs[0] as JobRecord);
  });
}
