import { fail, LetterslotError } from "../../../catalogue/errors.ts";
import { checkNotSuspended } from "../../../kernel/access/suspended.ts";
import type { Services } from "../../../kernel/context.ts";
import { endJob, postponeJob } from "../../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import type { Work } from "../../../kernel/work.ts";
import { type ReadBodies, readBodies } from "../../../mailbox/messages/index.ts";
import type { DraftRecord } from "../../../model/drafts.ts";
import { iso } from "../../../model/fields.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { JobRecord } from "../../../model/jobs.ts";
import {
  askAboutDraft,
  type CleanedDraft,
  cleanDraft,
  isApproved,
  mailDigest,
  senderOf,
} from "../../../owners/approvals/index.ts";
import type { StorageReader } from "../../../ports/storage.ts";
import { checkStillJudged, type Judgement, passGate } from "../../gate/index.ts";
import { leavingOfDraft } from "./leaving.ts";
import { sendDraft } from "./send-draft.ts";
import { showDraftInEvent } from "./show.ts";

const RETRY_MS = 10 * 60_000;

/** Errors that pass by themselves or once somebody acts: the draft is retried. */
const TEMPORARY_ERRORS: ReadonlySet<string> = new Set([
  "inbox_paused",
  "domain_not_verified",
  "sending_paused",
  "account_suspended",
  "plan_limit_exceeded",
  "daily_call_cap",
  "account_unclaimed",
  "rate_limited",
  "storage_unavailable",
  "draft_changed",
]);

/**
 * Sends a draft that is due or approved. In approval mode the owners are asked instead when its current
 * content is not approved. Temporary errors are retried; any other fails the draft with `message.failed` and
 * keeps it.
 */
export async function sendDueDraft(services: Services, job: JobRecord): Promise<void> {
  const now = services.clock.now();
  const { draft, inbox } = await dueDraft(services.storage, job.subject_id);
  if (draft === undefined || inbox === undefined) return endJob(services.storage, job);
  if (draft.send_at !== null && draft.send_at > iso(now))
    return postponeJob(services.storage, job, new Date(draft.send_at));
  try {
    await checkNotSuspended(services, inbox.account_id);
    const seen =
      draft.approval_id === null ? undefined : await services.storage.get("approvals", draft.approval_id);
    const approved = isApproved(await senderOf(services, services.storage, inbox), draft, seen);
    const judged = await passGate({ ...services, inbox, now }, leavingOfDraft(draft), { approved });
    const read = await readBodies(services, draft);
    const cleaned = judged.asks ? await cleanDraft(services, draft) : undefined;
    const checked = { draft, inbox, read, cleaned, judged, approved };
    await unitOfWork(services, inbox.account_id, now, (work) =>
      sendInWork(services, work, job, checked, now),
    );
  } catch (error) {
    if (!(error instanceof LetterslotError)) throw error;
    if (TEMPORARY_ERRORS.has(error.code))
      return postponeJob(services.storage, job, new Date(now.getTime() + RETRY_MS));
    // It waits for the key's next day, or for its hours.
    if (error.resets_at !== undefined) return postponeJob(services.storage, job, new Date(error.resets_at));
    await unitOfWork(services, inbox.account_id, now, (work) =>
      failDraft(services, work, job, error.code, now),
    );
  }
}

/** Fails a draft that could not be sent for so long, with `message.failed`, and keeps it. */
export async function giveUpDraft(
  services: Services,
  job: JobRecord,
  reason: string,
): Promise<string | undefined> {
  const now = services.clock.now();
  const draft = await services.storage.get("drafts", job.subject_id);
  if (draft === undefined) await endJob(services.storage, job);
  else
    await unitOfWork(services, draft.account_id, now, (work) => failDraft(services, work, job, reason, now));
  return draft?.account_id;
}

async function sendInWork(
  services: Services,
  work: Work,
  job: JobRecord,
  checked: {
    draft: DraftRecord;
    inbox: InboxRecord;
    read: ReadBodies;
    cleaned: CleanedDraft | undefined;
    judged: Judgement;
    approved: boolean;
  },
  now: Date,
): Promise<void> {
  await endJob(work, job);
  // Read again: it may have been changed, sent or deleted meanwhile.
  const { draft, inbox } = await dueDraft(work, job.subject_id);
  if (draft === undefined || inbox === undefined) return;
  const sender = await senderOf(services, work, inbox);
  if (mailDigest(sender, draft) !== mailDigest(sender, checked.draft)) throw fail("draft_changed");
  const approval = draft.approval_id === null ? undefined : await work.get("approvals", draft.approval_id);
  // Without an approval there is nothing to compare the whole mail with.
  const approved = approval !== undefined && isApproved(sender, draft, approval);
  const { asks, reasons, findings } = checked.judged;
  checkStillJudged(checked.inbox, inbox);
  // What was approved was looked at less closely.
  if (approved !== checked.approved) throw fail("draft_changed");
  if (!asks || approved) {
    const { read } = checked;
    const asked_by = draft.asked_by_key_id;
    await sendDraft(services, work, inbox, draft, now, { keep: approved, read, asked_by, findings });
    return;
  }
  await askAboutDraft(services, work, inbox, draft, { cleaned: checked.cleaned, reasons }, now);
}

/** The draft and its inbox, if it is scheduled and no approval is pending. */
async function dueDraft(
  storage: StorageReader,
  id: string,
): Promise<{ draft?: DraftRecord; inbox?: InboxRecord }> {
  const draft = await storage.get("drafts", id);
  if (draft?.send_status !== "scheduled" || draft.approval_status === "pending") return {};
  const inbox = await storage.get("inboxes", draft.inbox_id);
  return inbox === undefined ? {} : { draft, inbox };
}

async function failDraft(
  services: Services,
  work: Work,
  job: JobRecord,
  reason: string,
  now: Date,
): Promise<void> {
  await endJob(work, job);
  const change = { send_status: "failed", send_error: reason, updated_at: iso(now) } as const;
  const [failed] = await work.update("drafts", { id: job.subject_id, send_status: "scheduled" }, change);
  if (failed === undefined) return;
  const data = { message: null, draft: showDraftInEvent(failed, services.options), reason };
  work.publish({ type: "message.failed", inbox_id: failed.inbox_id, data });
}
