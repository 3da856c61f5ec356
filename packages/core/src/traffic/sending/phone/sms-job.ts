import { LetterslotError } from "../../../catalogue/errors.ts";
import { isSuspended } from "../../../kernel/access/suspended.ts";
import type { Services } from "../../../kernel/context.ts";
import { endJob, noteOnJob, postponeJob } from "../../../kernel/jobs/job-lease.ts";
import { retryWhileStorageIsDown } from "../../../kernel/jobs/retry-while-storage-is-down.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import type { Work } from "../../../kernel/work.ts";
import { checkNumberSuppressed } from "../../../mailbox/suppressions/index.ts";
import { iso } from "../../../model/fields.ts";
import type { JobRecord } from "../../../model/jobs.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import { changeTextStatus, findActiveNumber, type TextOutcome } from "../../../phone/telephony/index.ts";
import { TelephonyFailure } from "../../../ports/telephony.ts";
import { completeDraft } from "../drafts/send-draft.ts";

const MINUTE_MS = 60_000;
/** A text that can't be handed over is tried again after these times, for four hours in all. */
const BACKOFF_MS = [1, 5, 15, 30, 60, 120].map((minutes) => minutes * MINUTE_MS);
/** The interval at which a text of a suspended account is checked again. */
const SUSPENDED_DELAY_MS = 10 * MINUTE_MS;
const POSSIBLY_SENT =
  "It isn't known whether the provider took the text, so it may have been sent. It isn't sent again.";

/** The outcome of an attempt: a final result, or the provider couldn't be reached, for the reason in `detail`. */
type Attempt = TextOutcome | { status: "deferred"; detail: string };

/**
 * Hands a queued text to the provider, at most once: if another worker began and left no result, marks the text as
 * failed with `possibly_sent` and never repeats it. Retries, for four hours, only when nothing can have happened.
 */
export async function sendText(services: Services, job: JobRecord): Promise<void> {
  const message = await services.storage.get("messages", job.subject_id);
  if (message === undefined) return endJob(services.storage, job);
  const progress = readProgress(job);
  if (progress.begun > progress.tried)
    return recordAttempt(services, job, message, progress.tried, possiblySent(POSSIBLY_SENT));
  if (await isSuspended(services.storage, message.account_id))
    return postponeJob(services.storage, job, new Date(services.clock.now().getTime() + SUSPENDED_DELAY_MS));
  const refusal = await refusalOf(services, message);
  if (refusal !== undefined) return recordAttempt(services, job, message, progress.tried, failed(refusal));
  // A worker that finds `begun` without a result knows that the text may have been sent.
  await noteOnJob(services.storage, job, { ...job.payload, begun: progress.tried + 1 });
  await recordAttempt(services, job, message, progress.tried, await attemptOf(services, message));
}

/** Why a text may not leave any more, although it was queued; undefined when it may. */
async function refusalOf(
  { storage }: Pick<Services, "storage">,
  { inbox_id, account_id, from, to }: MessageRecord,
): Promise<string | undefined> {
  const number = await findActiveNumber(storage, inbox_id);
  if (number?.e164 !== from) return "The inbox doesn't have this number any more.";
  try {
    await checkNumberSuppressed(storage, { id: inbox_id, account_id }, to[0] ?? "");
    return undefined;
  } catch (error) {
    if (error instanceof LetterslotError) return error.message;
    throw error;
  }
}

async function attemptOf({ telephony }: Services, message: MessageRecord): Promise<Attempt> {
  const { id, from, to, extracted_text: text } = message;
  try {
    const { provider_id } = await telephony.sendSms({ message_id: id, from, to: to[0] ?? "", text });
    return { status: "sent", provider_id, detail: "" };
  } catch (error) {
    // Anything else ends this worker's attempt without a result.
    if (!(error instanceof TelephonyFailure)) throw error;
    if (error.outcome === "unavailable") return { status: "deferred", detail: error.message };
    return error.outcome === "refused" ? failed(error.message) : possiblySent(error.message);
  }
}

const failed = (detail: string): TextOutcome => ({ status: "failed", provider_id: null, detail });
const possiblySent = (detail: string): TextOutcome => ({ ...failed(detail), event: "possibly_sent" });

async function recordAttempt(
  services: Services,
  job: JobRecord,
  { id, account_id }: MessageRecord,
  tried: number,
  attempt: Attempt,
): Promise<void> {
  const now = services.clock.now();
  const tries = tried + 1;
  const wait_ms = BACKOFF_MS[tried];
  const again = attempt.status === "deferred" && wait_ms !== undefined;
  const write = async (work: Work) => {
    const current = await work.get("messages", id);
    if (current === undefined) return endJob(work, job);
    if (again) {
      await noteDeferred(work, current, attempt.detail, now);
      const payload = { ...job.payload, tried: tries, begun: tries };
      return postponeJob(work, job, new Date(now.getTime() + wait_ms), payload);
    }
    await endJob(work, job);
    const outcome = attempt.status === "deferred" ? failed(attempt.detail) : attempt;
    // A callback may have been faster: then it stands.
    const changed = current.status === "queued" ? await changeTextStatus(work, id, outcome, now) : undefined;
    const status = (changed ?? current).status === "failed" ? "failed" : "sent";
    await completeDraft(work, job.payload["draft_id"], status, outcome.detail, now);
  };
  await retryWhileStorageIsDown(services, () => unitOfWork(services, account_id, now, write));
}

async function noteDeferred(
  work: Work,
  { id, to, delivery_events }: MessageRecord,
  detail: string,
  now: Date,
): Promise<void> {
  const deferred = { type: "deferred" as const, recipient: to[0] ?? "", created_at: iso(now), detail };
  await work.update("messages", { id }, { delivery_events: [...delivery_events, deferred] });
}

function readProgress({ payload: { tried, begun } }: JobRecord): { tried: number; begun: number } {
  return {
    tried: typeof tried === "number" ? tried : 0,
    begun: typeof begun === "number" ? begun : 0,
  };
}
