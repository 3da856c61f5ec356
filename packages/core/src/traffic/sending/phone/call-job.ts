import { LIMITS } from "../../../catalogue/limits.ts";
import { isSuspended } from "../../../kernel/access/suspended.ts";
import type { Services } from "../../../kernel/context.ts";
import { endJob, noteOnJob, postponeJob } from "../../../kernel/jobs/job-lease.ts";
import { retryWhileStorageIsDown } from "../../../kernel/jobs/retry-while-storage-is-down.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import type { Work } from "../../../kernel/work.ts";
import type { JobRecord } from "../../../model/jobs.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import {
  type CallChange,
  changeCallStatus,
  findActiveNumber,
  notePlaced,
} from "../../../phone/telephony/index.ts";
import { TelephonyFailure } from "../../../ports/telephony.ts";
import { completeDraft } from "../drafts/send-draft.ts";

/** Said before everything else where the other side's answer is recorded. */
const RECORDING_NOTICE = "This call will be recorded.";
/** The delays after attempts at which nothing happened; the last one repeats. */
const BACKOFF_MS = [5_000, 15_000, 30_000, 60_000];
const POSSIBLY_SENT =
  "It isn't known whether the provider took the call, so it may have been placed. It isn't placed again.";

/**
 * The outcome of an attempt: the provider took the call, the call failed, or nothing happened, for the reason in
 * `detail`.
 */
type Attempt =
  | { outcome: "placed"; provider_id: string }
  | ({ outcome: "failed" } & Pick<CallChange, "detail" | "event">)
  | { outcome: "deferred"; detail: string };

/**
 * Hands a queued call to the provider, at most once: if another worker began and left no result, marks the call as
 * failed with `possibly_sent` and never places it again. Retries, for half an hour, only when nothing can have
 * happened: a call placed much later helps nobody.
 */
export async function placeCall(services: Services, job: JobRecord): Promise<void> {
  const call = await services.storage.get("messages", job.subject_id);
  if (call === undefined) return endJob(services.storage, job);
  if (job.payload["begun"] === true) return record(services, job, call, possiblyPlaced(POSSIBLY_SENT));
  const refusal = await refusalOf(services, call);
  if (refusal !== undefined) return record(services, job, call, { outcome: "failed", detail: refusal });
  // A worker that finds `begun` without a result knows that the call may have been placed.
  await noteOnJob(services.storage, job, { ...job.payload, begun: true });
  await record(services, job, call, await attempt(services, job, call));
}

/** Why a call may not be placed any more, although it was queued; undefined when it may. */
async function refusalOf(
  { storage, clock }: Pick<Services, "storage" | "clock">,
  call: MessageRecord,
): Promise<string | undefined> {
  if (clock.now().getTime() >= latestOf(call)) return "The call could not be placed in time.";
  if (await isSuspended(storage, call.account_id)) return "The account is suspended.";
  const number = await findActiveNumber(storage, call.inbox_id);
  return number?.e164 === call.from ? undefined : "The inbox doesn't have this number any more.";
}

async function attempt({ telephony }: Services, job: JobRecord, call: MessageRecord): Promise<Attempt> {
  const { id, from, to, extracted_text, phone } = call;
  const records = phone?.mode === "say_and_record";
  try {
    const { provider_id } = await telephony.placeCall({
      ...{ message_id: id, from, to: to[0] ?? "", say: extracted_text },
      recording_notice: records ? RECORDING_NOTICE : null,
      recording_seconds: records ? LIMITS.call_recording_seconds : 0,
      time_limit_seconds: Number(job.payload["minutes"]) * 60,
    });
    return { outcome: "placed", provider_id };
  } catch (error) {
    // Anything else ends this worker's try without a result.
    if (!(error instanceof TelephonyFailure)) throw error;
    if (error.outcome === "unavailable") return { outcome: "deferred", detail: error.message };
    return error.outcome === "refused"
      ? { outcome: "failed", detail: error.message }
      : possiblyPlaced(error.message);
  }
}

const possiblyPlaced = (detail: string): Attempt => ({ outcome: "failed", event: "possibly_sent", detail });

async function record(
  services: Services,
  job: JobRecord,
  call: MessageRecord,
  result: Attempt,
): Promise<void> {
  const now = services.clock.now();
  const next = nextTry(job, call, now);
  const write = async (work: Work) => {
    if (result.outcome === "deferred" && next !== undefined)
      return postponeJob(work, job, next.due_at, next.payload);
    await endJob(work, job);
    if (result.outcome === "placed") await notePlaced(work, call.id, result.provider_id);
    if (result.outcome !== "placed") await failQueued(work, call.id, result, now);
    const status = (await work.get("messages", call.id))?.status === "failed" ? "failed" : "sent";
    const reason = result.outcome === "placed" ? "" : result.detail;
    await completeDraft(work, job.payload["draft_id"], status, reason, now);
  };
  await retryWhileStorageIsDown(services, () => unitOfWork(services, call.account_id, now, write));
}

/** A callback that came before shows that the provider did take the call: then that stands. */
async function failQueued(
  work: Work,
  message_id: string,
  { detail, ...event }: Pick<CallChange, "detail" | "event">,
  now: Date,
): Promise<void> {
  const call = await work.get("messages", message_id);
  if (call?.status !== "queued") return;
  const failed = { ...event, detail, status: "failed", duration_seconds: null, provider_id: null } as const;
  await changeCallStatus(work, message_id, failed, now);
}

/** When a call at which nothing happened is tried again; undefined when that is too late. */
function nextTry(
  { payload }: JobRecord,
  call: MessageRecord,
  now: Date,
): { due_at: Date; payload: Record<string, unknown> } | undefined {
  const tried = typeof payload["tried"] === "number" ? payload["tried"] : 0;
  const wait_ms = BACKOFF_MS[Math.min(tried, BACKOFF_MS.length - 1)] ?? 0;
  const due_at = new Date(now.getTime() + wait_ms);
  if (due_at.getTime() >= latestOf(call)) return undefined;
  return { due_at, payload: { ...payload, begun: false, tried: tried + 1 } };
}

const latestOf = ({ created_at }: Pick<MessageRecord, "created_at">): number =>
  Date.parse(created_at) + LIMITS.call_placed_within_ms;
