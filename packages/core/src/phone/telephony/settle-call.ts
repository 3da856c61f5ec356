import type { Services } from "../../kernel/context.ts";
import { endJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { TelephonyFailure } from "../../ports/telephony.ts";
import { isUnderWay } from "./call-rules.ts";
import { type CallChange, changeCallStatus } from "./call-status.ts";

const MINUTE_MS = 60_000;
/** The interval and the total time for querying a provider that can't be reached or reports that the call goes on. */
const ASKED_AGAIN_MS = 10 * MINUTE_MS;
const ASKED_FOR_MS = 24 * 60 * MINUTE_MS;

/**
 * Settles a call whose end was never reported, by querying the provider; a call that the provider doesn't know, or
 * doesn't report on for a day, has failed.
 */
export async function settleCall(services: Services, job: JobRecord): Promise<void> {
  const call = await services.storage.get("messages", job.subject_id);
  if (call === undefined || !isUnderWay(call)) return endJob(services.storage, job);
  const end = await endOf(services, call);
  const now = services.clock.now();
  const last = now.getTime() >= Date.parse(call.created_at) + ASKED_FOR_MS;
  if (end === undefined && !last)
    return postponeJob(services.storage, job, new Date(now.getTime() + ASKED_AGAIN_MS));
  await unitOfWork(services, call.account_id, now, async (work) => {
    await endJob(work, job);
    await changeCallStatus(work, call.id, end ?? UNTOLD, now);
  });
}

const FAILED = { status: "failed", duration_seconds: null, provider_id: null } as const;
const UNKNOWN: CallChange = { ...FAILED, detail: "The provider doesn't know the call." };
const UNTOLD: CallChange = { ...FAILED, detail: "The provider didn't say for a day how the call ended." };

/** Returns how a call ended; undefined while the provider says that it goes on, or can't be reached. */
async function endOf(
  { telephony }: Pick<Services, "telephony">,
  { phone, provider }: MessageRecord,
): Promise<CallChange | undefined> {
  const provider_id = phone?.provider_id ?? null;
  if (provider_id === null || provider !== telephony.name) return UNKNOWN;
  try {
    const state = await telephony.findCall(provider_id);
    if (state === undefined) return UNKNOWN;
    const { status, duration_seconds, detail } = state;
    if (status === "queued" || status === "in-progress" || status === "ringing") return undefined;
    return { status, duration_seconds, detail, provider_id };
  } catch (error) {
    if (!(error instanceof TelephonyFailure)) throw error;
    return error.outcome === "refused" ? { ...FAILED, detail: error.message } : undefined;
  }
}
