import { fail } from "../../catalogue/errors.ts";
import type { Ruled } from "../../kernel/access/authority.ts";
import type { ApprovalRecord } from "../../model/approvals.ts";
import type { DraftRecord } from "../../model/drafts.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { OwnerRecord } from "../../model/owners.ts";
import { isDigestOf, type Sender } from "./content.ts";

/**
 * Whether only account owners may decide: it concerns the whole account or several inboxes, or gives somebody authority
 * over it or an inbox.
 */
export const isForAccountOwners = ({
  subject_type,
  inbox_id,
  change,
}: Pick<ApprovalRecord, "subject_type" | "inbox_id" | "change">): boolean =>
  subject_type === "authority_grant" ||
  subject_type === "account_delete" ||
  (subject_type === "webhook_change" && change["inboxes"] !== inbox_id);

/**
 * Whether a verified owner may see the request: their address must be outside this service (`is_outside`), since an
 * agent could have one inside, and verified before the request, so that nobody is added for the purpose.
 */
export function maySee(
  owner: Pick<OwnerRecord, "inbox_id" | "status" | "verified_at">,
  asked: Pick<ApprovalRecord, "inbox_id" | "requested_at">,
  is_outside: boolean,
): boolean {
  if (owner.inbox_id !== asked.inbox_id || owner.status !== "verified" || owner.verified_at === null)
    return false;
  return owner.verified_at <= asked.requested_at && is_outside;
}

/** Whether what a person decides about an inbox takes their passkey: then their session alone changes nothing. */
export const asksForPasskey = ({ approve_with }: Pick<InboxRecord, "approve_with">): boolean =>
  approve_with === "passkey";

/** Whether an approval can still be decided. */
export function isOpen(
  { status, expires_at }: Pick<ApprovalRecord, "status" | "expires_at">,
  now: string,
): boolean {
  return status === "pending" && expires_at > now;
}

/** Fails with `approval_closed` when an approval can no longer be decided or cancelled. */
export function checkOpen(approval: Pick<ApprovalRecord, "status" | "expires_at">, now: string): void {
  if (!isOpen(approval, now)) throw fail("approval_closed");
}

/** Whether a draft is approved in its current form. An imported approval was not decided here, and approves nothing. */
export function isApproved(inbox: Sender, draft: DraftRecord, approval: ApprovalRecord | undefined): boolean {
  return (
    approval !== undefined &&
    approval.id === draft.approval_id &&
    approval.status === "approved" &&
    !approval.imported &&
    isDigestOf(approval.digest, inbox, draft)
  );
}

/** Returns the scope that a decider of this approval must have authority over. */
export const ruledBy = (
  approval: Pick<ApprovalRecord, "account_id" | "inbox_id" | "subject_type" | "change">,
): Ruled => ({
  account_id: approval.account_id,
  inbox_id: isForAccountOwners(approval) ? null : approval.inbox_id,
});
