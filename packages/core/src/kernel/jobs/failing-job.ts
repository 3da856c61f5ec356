import { type ErrorKind, LetterslotError } from "../../catalogue/errors.ts";
import type { JobKind } from "../../catalogue/jobs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { Services } from "../context.ts";
import { countMetrics } from "../events/count.ts";
import { LeaseLost, postponeJob } from "./job-lease.ts";

/** Ends a job for good together with what follows from that; returns the account that it was for, if there is one. */
export type GiveUp = (services: Services, job: JobRecord, reason: string) => Promise<string | undefined>;

/** How long mail and texts are tried, and what deletes data; all else gets a week. */
const LAST_TRY_MS: Partial<Record<JobKind, number>> = {
  "message.send": LIMITS.mail_last_try_ms,
  "sms.send": LIMITS.mail_last_try_ms,
  "draft.send": LIMITS.mail_last_try_ms,
  "inbox.purge": LIMITS.erasing_last_try_ms,
  "workspace.purge": LIMITS.erasing_last_try_ms,
  "account.erase": LIMITS.erasing_last_try_ms,
  "blobs.collect": LIMITS.erasing_last_try_ms,
  "phone.release": LIMITS.erasing_last_try_ms,
};

const BACKOFF_MS = 30_000;
const MAX_BACKOFF_STEPS = 20;

/** The errors that the same job gets again, however often it is tried. */
const LASTING: ReadonlySet<ErrorKind> = new Set(["invalid", "not_found", "gone", "too_large", "unsupported"]);

/** The failures of a job in a row, as its payload notes them. */
interface Failing {
  since: string;
  /** The number of the last try that failed: a later success leaves a gap. */
  attempt: number;
}

/**
 * Decides what follows when a job failed: another try, later each time, or its end, because no try can succeed or the
 * last one has failed.
 */
export function afterFailure(
  { kind, payload, attempts }: Pick<JobRecord, "kind" | "payload" | "attempts">,
  error: unknown,
  now: Date,
): { gives_up: boolean; is_first: boolean; failing: Failing; due_at: Date } {
  const before = failingOf(payload);
  const goes_on = before !== undefined && before.attempt === attempts - 1;
  const failing = { since: goes_on ? before.since : iso(now), attempt: attempts };
  const last_try_ms = LAST_TRY_MS[kind] ?? LIMITS.job_last_try_ms;
  const is_over = now.getTime() - Date.parse(failing.since) >= last_try_ms;
  const lasts = error instanceof LetterslotError && LASTING.has(error.kind);
  const pause_ms = BACKOFF_MS * Math.min(attempts, MAX_BACKOFF_STEPS);
  return {
    gives_up: is_over || lasts,
    is_first: !goes_on,
    failing,
    due_at: new Date(now.getTime() + pause_ms),
  };
}

function failingOf({ failing }: JobRecord["payload"]): Failing | undefined {
  if (typeof failing !== "object" || failing === null) return undefined;
  const { since, attempt } = failing as Partial<Failing>;
  return typeof since === "string" && typeof attempt === "number" ? { since, attempt } : undefined;
}

/**
 * Puts a job off that failed, or ends it with `giveUp` and counts that. The log gets a line when it begins to fail and
 * one when it is given up, however often it is tried between.
 */
export async function settleFailure(
  services: Services,
  job: JobRecord,
  error: unknown,
  giveUp: GiveUp,
): Promise<"failed" | "given_up"> {
  const { storage, clock, log } = services;
  const now = clock.now();
  // It may have noted on itself how far it came.
  const payload = (await storage.get("jobs", job.id))?.payload ?? job.payload;
  const { gives_up, is_first, failing, due_at } = afterFailure(job, error, now);
  const reason = error instanceof Error ? error.message : String(error);
  const about = { job: job.id, kind: job.kind, attempts: job.attempts };
  if (!gives_up) {
    await postponeJob(storage, job, due_at, { ...payload, failing });
    if (is_first) log.warn({ ...about, error }, "job failed; it will be tried again");
    return "failed";
  }
  const account_id = await giveUp(services, { ...job, payload }, reason);
  log.error({ ...about, reason, since: failing.since }, "job given up");
  await countMetrics(storage, account_id ?? "", ["job.given_up"], now);
  return "given_up";
}

/** Runs `settleFailure` for a worker: what goes wrong with it leaves the job to the end of its lease. */
export async function settleOrLeave(
  ...failure: Parameters<typeof settleFailure>
): Promise<"failed" | "given_up"> {
  const [{ log }, { id }] = failure;
  try {
    return await settleFailure(...failure);
  } catch (lost) {
    if (!(lost instanceof LeaseLost)) log.warn({ error: lost, job: id }, "job not put off");
    return "failed";
  }
}
