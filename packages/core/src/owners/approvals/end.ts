import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import type { ApprovalRecord, VersionChange } from "../../model/approvals.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { approvalInEvent } from "./reasons.ts";

const MAX_PENDING = 100;

/** The final status of an approval, and who decided it. */
export interface Ending {
  status: Exclude<ApprovalRecord["status"], "pending">;
  decided_by?: ApprovalRecord["decided_by"];
  comment?: string | null;
  /** What the person changed in a mail before they approved it. */
  changes?: VersionChange[];
  /** The receipt of the decision. */
  receipt?: string;
}

/**
 * Ends a pending approval in the caller's transaction, updates its draft and publishes `approval.decided`. An
 * approved draft is scheduled; otherwise it becomes a plain draft again. Undefined when it had already ended.
 */
export async function endApproval(
  work: Work,
  { id }: Pick<ApprovalRecord, "id">,
  { status, decided_by = null, comment = null, changes = [], receipt }: Ending,
  now: Date,
): Promise<ApprovalRecord | undefined> {
  const [ended] = await work.update(
    "approvals",
    { id, status: "pending" },
    { status, decided_at: iso(now), decided_by, comment },
  );
  if (ended === undefined) return undefined;
  await work.delete("jobs", { subject_id: id, kind: "approval.expire" });
  if (ended.subject_type === "draft") await updateDraft(work, ended, now);
  if (ended.subject_type === "forwarding_add" && status !== "approved") await endForwardingOf(work, ended);
  const gone = ended.subject_type === "inbox_delete" && status === "approved";
  work.publish({
    type: "approval.decided",
    inbox_id: gone ? null : ended.inbox_id,
    data: {
      approval: approvalInEvent(ended),
      ...(changes.length === 0 ? {} : { changes }),
      ...(receipt === undefined ? {} : { receipt }),
    },
  });
  return ended;
}

/** Has the forwarding looked at that was asked for: nobody allowed it. */
async function endForwardingOf(work: Work, { id }: ApprovalRecord): Promise<void> {
  const [forwarding] = await work.find("forwardings", { where: { approval_id: id }, limit: 1 });
  if (forwarding !== undefined) work.job({ kind: "forwarding.check", subject_id: forwarding.id });
}

async function updateDraft(work: Work, { id, subject_id, status }: ApprovalRecord, now: Date): Promise<void> {
  if (status === "pending") return;
  const draft = await work.get("drafts", subject_id);
  if (draft?.approval_id !== id) return;
  const send_status = status === "approved" ? "scheduled" : "draft";
  await work.update(
    "drafts",
    { id: draft.id },
    { approval_status: status, send_status, updated_at: iso(now) },
  );
  await work.delete("jobs", { subject_id: draft.id, kind: "draft.send" });
  if (status !== "approved") return;
  const due_at = draft.send_at === null || draft.send_at < iso(now) ? now : new Date(draft.send_at);
  work.job({ kind: "draft.send", subject_id: draft.id, due_at });
}

/**
 * Cancels the pending approvals of a subject that has changed or is gone, except those that `keeps` names.
 */
export async function voidApprovals(
  work: Work,
  subject_id: string,
  now: Date,
  keeps: (approval: ApprovalRecord) => boolean = () => false,
): Promise<void> {
  const pending = await work.find("approvals", {
    where: { subject_id, status: "pending" },
    limit: MAX_PENDING,
  });
  for (const approval of pending.filter((each) => !keeps(each)))
    await endApproval(work, approval, { status: "cancelled" }, now);
}

/** Cancels the approvals to release a message that was deleted. */
export async function withdrawApprovals(services: Services, job: JobRecord): Promise<void> {
  const { subject_id } = job;
  const [approval] = await services.storage.find("approvals", {
    where: { subject_id, status: "pending" },
    limit: 1,
  });
  if (approval === undefined) return endJob(services.storage, job);
  const now = services.clock.now();
  await unitOfWork(services, approval.account_id, now, async (work) => {
    await endJob(work, job);
    await voidApprovals(work, subject_id, now);
  });
}

/** Expires an approval that nobody decided in time. */
export async function expireApproval(services: Services, job: JobRecord): Promise<void> {
  const approval = await services.storage.get("approvals", job.subject_id);
  if (approval === undefined) return endJob(services.storage, job);
  const now = services.clock.now();
  await unitOfWork(services, approval.account_id, now, async (work) => {
    await endJob(work, job);
    await endApproval(work, approval, { status: "expired" }, now);
  });
}
