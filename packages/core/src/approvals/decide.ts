import type { Services } from "../kernel/context.ts";
import type { Work } from "../kernel/work.ts";
import type { ApprovalRecord, Verdict } from "../model/approvals.ts";
import { iso } from "../model/fields.ts";
import { endApproval } from "./end.ts";
import { isOpen, mailDigest, mayDecide } from "./rules.ts";

/** An owner's decision on an approval. */
export interface Decision {
  approval_id: string;
  owner_id: string;
  method: "page" | "reply";
  verdict: Verdict;
  comment: string | null;
}

/**
 * Records an owner's decision in the caller's transaction and carries out what was approved. `closed`: the
 * approval had ended before. `changed`: the subject has changed since, so the approval was cancelled.
 * `not_theirs`: the owner may not decide it.
 */
export async function decide(
  services: Services,
  work: Work,
  { approval_id, owner_id, method, verdict, comment }: Decision,
  now: Date,
): Promise<"decided" | "closed" | "changed" | "not_theirs"> {
  const approval = await work.get("approvals", approval_id);
  const owner = await work.get("owners", owner_id);
  if (approval === undefined || !isOpen(approval, iso(now))) return "closed";
  if (owner === undefined || !mayDecide(owner, approval, services)) return "not_theirs";

  const decided_by = { owner_id, method };
  if (verdict === "reject") {
    await endApproval(work, approval, { status: "rejected", decided_by, comment }, now);
    return "decided";
  }
  if (!(await stillFits(services, work, approval))) {
    await endApproval(work, approval, { status: "cancelled" }, now);
    return "changed";
  }
  await endApproval(work, approval, { status: "approved", decided_by, comment }, now);
  await services.acts[approval.subject_type](services, work, approval, now);
  return "decided";
}

/** Whether the subject is still as the owner was shown it. */
async function stillFits(
  services: Services,
  work: Work,
  { subject_type, subject_id, inbox_id, digest, change }: ApprovalRecord,
): Promise<boolean> {
  const inbox = await work.get("inboxes", inbox_id);
  if (inbox === undefined) return false;
  if (subject_type === "owner_delete") {
    const owners = await work.find("owners", { where: { inbox_id, status: "verified" }, limit: 100 });
    const asked = { inbox_id, requested_at: "9999" };
    return owners.some((owner) => owner.id !== change["owner_id"] && mayDecide(owner, asked, services));
  }
  if (subject_type !== "draft") return true;
  const draft = await work.get("drafts", subject_id);
  return draft !== undefined && mailDigest(inbox, draft) === digest;
}
