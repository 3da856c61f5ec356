import { decidersOver, takeCharge } from "../../kernel/access/authority.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import { rememberRecipients } from "../../limits/budgets/index.ts";
import { isHeld } from "../../mailbox/messages/index.ts";
import type { ApprovalRecord, Verdict } from "../../model/approvals.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { changeAsked } from "../notifications/approval.ts";
import type { Claims } from "../receipts/index.ts";
import { changeDigest, isDigestOf, senderOf } from "./content.ts";
import { applyEdit, type Edit } from "./edit.ts";
import { endApproval } from "./end.ts";
import { approvalInEvent } from "./reasons.ts";
import { decisionReceipt } from "./receipt.ts";
import { asksForPasskey, isOpen, ruledBy } from "./rules.ts";
import type { SignedDecision } from "./statement.ts";

/** The number of an account's pending approvals that are processed; the rest expire by themselves. */
const MAX_PENDING = 1_000;

/** A person's decision on an approval. */
export interface Decision {
  approval_id: string;
  /** The address of the mailbox that was proven, by its session or by its mail. */
  email: string;
  method: "page" | "session" | "reply" | "passkey";
  verdict: Verdict;
  comment: string | null;
  /** What their passkey signed of it. */
  signed?: SignedDecision | undefined;
  /** What else proves it, for the receipt. */
  evidence?: readonly Claims[] | undefined;
  /** The mail as they changed it. */
  edit?: Edit | undefined;
  /** Whether the recipients of the mail count as the account's own people from now on. */
  remember_recipients?: boolean | undefined;
  /** The fingerprints of values of the mail that aren't asked about again in this inbox. */
  remember_values?: readonly string[] | undefined;
}

/**
 * Records a decision in the caller's transaction and carries out what was approved. Until the account has an account
 * owner, its first verified address decides, and thereby becomes the account owner, except by mail. `closed`: the
 * approval had ended before. `changed`: the subject has changed since, so the approval was cancelled. `not_theirs`:
 * this person may not decide it. `needs_passkey`: the inbox asks for the signature of one.
 */
export async function decide(
  services: Services,
  work: Work,
  {
    approval_id,
    email,
    method,
    verdict,
    comment,
    edit,
    evidence,
    signed,
    remember_recipients = false,
    remember_values = [],
  }: Decision,
  now: Date,
): Promise<"decided" | "closed" | "changed" | "not_theirs" | "needs_passkey"> {
  const approval = await work.get("approvals", approval_id);
  if (approval === undefined || !isOpen(approval, iso(now))) return "closed";
  const { emails, noted } = await decidersOver(services, work, ruledBy(approval));
  if (!emails.includes(email)) return "not_theirs";
  const asking = verdict === "approve" ? await work.get("inboxes", approval.inbox_id) : undefined;
  if (asking !== undefined && asksForPasskey(asking) && signed === undefined) return "needs_passkey";
  if (noted === email && method !== "reply")
    await takeCharge(services, work, { account_id: approval.account_id, email }, now);

  const decided_by = await decidedBy(work, approval.inbox_id, email, method);
  const receiptOf = (decided: ApprovalRecord) =>
    decisionReceipt(services, work, { approval: decided, decided_by, verdict, evidence, signed }, now);
  if (verdict === "reject") {
    const receipt = await receiptOf(approval);
    await endApproval(work, approval, { status: "rejected", decided_by, comment, receipt }, now);
    return "decided";
  }
  if (!(await stillFits(services, work, approval))) {
    await endApproval(work, approval, { status: "cancelled" }, now);
    return "changed";
  }
  const changes = edit === undefined ? [] : await applyEdit(services, work, approval, edit, email, now);
  const receipt = await receiptOf((await work.get("approvals", approval.id)) ?? approval);
  await endApproval(work, approval, { status: "approved", decided_by, comment, changes, receipt }, now);
  if (remember_recipients) await remember(work, approval, now);
  await rememberValues(work, approval, remember_values, now);
  await services.acts[approval.subject_type](services, work, { ...approval, decided_by }, now);
  return "decided";
}

/** Remembers whom the approved mail goes to. */
async function remember(
  work: Work,
  { subject_type, subject_id, account_id, inbox_id }: ApprovalRecord,
  now: Date,
): Promise<void> {
  const draft = subject_type === "draft" ? await work.get("drafts", subject_id) : undefined;
  if (draft !== undefined) await rememberRecipients(work, { ...draft, account_id, inbox_id }, now);
}

/** Remembers values of the approved mail. */
async function rememberValues(
  work: Work,
  { inbox_id, account_id }: ApprovalRecord,
  fingerprints: readonly string[],
  now: Date,
): Promise<void> {
  for (const fingerprint of fingerprints)
    await work.insert("remembered_values", { inbox_id, fingerprint, account_id, approved_at: iso(now) });
}

/** Whether the subject is still as the owner was shown it. */
async function stillFits(
  services: Pick<Services, "options">,
  work: Work,
  { id, subject_type, subject_id, inbox_id, digest }: ApprovalRecord,
): Promise<boolean> {
  const inbox = await work.get("inboxes", inbox_id);
  if (inbox === undefined) return false;
  if (subject_type === "message_release") {
    const message = await work.get("messages", subject_id);
    return message !== undefined && isHeld(message);
  }
  if (subject_type === "forwarding_add") {
    const [forwarding] = await work.find("forwardings", { where: { approval_id: id }, limit: 1 });
    return forwarding?.status === "pending" && (await isOutside(services, work, forwarding.email));
  }
  if (subject_type !== "draft") return true;
  const draft = await work.get("drafts", subject_id);
  return draft !== undefined && isDigestOf(digest, await senderOf(services, work, inbox), draft);
}

async function decidedBy(
  work: Work,
  inbox_id: string,
  email: string,
  method: Decision["method"],
): Promise<NonNullable<ApprovalRecord["decided_by"]>> {
  const [owner] = await work.find("owners", { where: { inbox_id, email }, limit: 1 });
  return { owner_id: owner?.id ?? null, email, method };
}

/**
 * Records a change of an inbox in approval mode that a person with authority made in their own session: it needs no
 * approval, and is recorded as decided by them.
 */
export async function recordDecision(
  services: Services,
  work: Work,
  inbox: InboxRecord,
  {
    email,
    ...change
  }: Pick<ApprovalRecord, "subject_id" | "change"> & {
    subject_type: Exclude<ApprovalRecord["subject_type"], "draft">;
    /** The address of the session. */
    email: string;
  },
  now: Date,
): Promise<void> {
  const approval: ApprovalRecord & { decided_by: object } = {
    ...change,
    summary: changeAsked(change.subject_type, inbox.email, change.change).summary,
    id: services.makeId("apr"),
    account_id: inbox.account_id,
    inbox_id: inbox.id,
    digest: changeDigest(change.subject_type, change.subject_id, change.change),
    asked_by: null,
    ...{ reasons: [], edited: false, versions: [] },
    html_changed: false,
    html_changes: [],
    status: "approved",
    requested_at: iso(now),
    expires_at: iso(now),
    decided_at: iso(now),
    decided_by: await decidedBy(work, inbox.id, email, "session"),
    comment: null,
    imported: false,
  };
  work.append("approvals", [approval]);
  const { decided_by } = approval;
  const receipt = await decisionReceipt(services, work, { approval, decided_by, verdict: "approve" }, now);
  const gone = change.subject_type === "inbox_delete";
  work.publish({
    type: "approval.decided",
    inbox_id: gone ? null : inbox.id,
    data: { approval: approvalInEvent(approval), receipt },
  });
}

/** Cancels the pending approvals of an account that nobody is left to decide. */
export async function voidUndecidable(
  services: Pick<Services, "options">,
  work: Work,
  account_id: string,
  now: Date,
): Promise<void> {
  const pending = await work.find("approvals", {
    where: { account_id, status: "pending" },
    order: { by: "id", direction: "asc" },
    limit: MAX_PENDING,
  });
  for (const approval of pending) {
    const { emails } = await decidersOver(services, work, ruledBy(approval));
    if (emails.length === 0) await endApproval(work, approval, { status: "cancelled" }, now);
  }
}
