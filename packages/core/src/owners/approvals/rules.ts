import { createHash } from "node:crypto";
import { fail } from "../../catalogue/errors.ts";
import type { Ruled } from "../../kernel/access/authority.ts";
import { canonicalJson } from "../../kernel/idempotency.ts";
import type { ApprovalRecord, ApprovalSubject } from "../../model/approvals.ts";
import type { DraftRecord } from "../../model/drafts.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { OwnerRecord } from "../../model/owners.ts";

/**
 * Binds an approval to a mail: SHA-256 over all headers except Date and Message-ID, both bodies, each
 * attachment's bytes and description, the send time, and who in charge gets a copy; of a text or call also what it is. Any change to what the owner saw changes the digest.
 */
export function mailDigest(
  inbox: Pick<InboxRecord, "email" | "display_name" | "owner_copy">,
  draft: DraftRecord,
  copies: readonly string[] = [],
): string {
  const { to, cc, bcc, reply_to, subject, headers, text, html, in_reply_to, references, send_at } = draft;
  const attachments = draft.attachments.map(
    ({ filename, content_type, parameters, content_id, disposition, hash }) => ({
      ...{ filename, content_type, content_id, disposition, hash },
      // Left out without any, to keep the digests from before they were stored.
      ...(parameters === undefined ? {} : { parameters }),
    }),
  );
  const from = { address: inbox.email, name: inbox.display_name };
  return digestOf({
    from,
    to,
    cc,
    bcc,
    reply_to,
    subject,
    headers,
    text,
    html,
    in_reply_to,
    references,
    send_at,
    attachments,
    // Left out for mail, to keep the digests from before texts and calls existed.
    ...(draft.kind === "sms" || draft.kind === "call"
      ? { kind: draft.kind, call_mode: draft.call_mode }
      : {}),
    // Left out if there are none, to keep the digests from before mail had names.
    ...(Object.keys(draft.names).length === 0 ? {} : { names: draft.names }),
    // Left out where nobody gets one; texts and calls have none.
    ...(copies.length === 0 ? {} : { owner_copy: { as: inbox.owner_copy, to: copies } }),
  });
}

/** Binds an approval to a change of an inbox. */
export function changeDigest(
  subject_type: ApprovalSubject,
  subject_id: string,
  change: Record<string, string>,
): string {
  return digestOf({ subject_type, subject_id, change });
}

const digestOf = (facts: Record<string, unknown>): string =>
  createHash("sha256").update(canonicalJson(facts)).digest("hex");

/**
 * Whether only account owners may decide: it concerns the whole account, or gives somebody authority over it or an
 * inbox.
 */
export const isForAccountOwners = ({ subject_type }: Pick<ApprovalRecord, "subject_type">): boolean =>
  subject_type === "authority_grant" || subject_type === "account_delete";

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
export function isApproved(
  draft: Pick<DraftRecord, "approval_id">,
  approval: ApprovalRecord | undefined,
  digest: string,
): boolean {
  return (
    approval !== undefined &&
    approval.id === draft.approval_id &&
    approval.status === "approved" &&
    !approval.imported &&
    approval.digest === digest
  );
}

/** Returns the scope that a decider of this approval must have authority over. */
export const ruledBy = (
  approval: Pick<ApprovalRecord, "account_id" | "inbox_id" | "subject_type">,
): Ruled => ({
  account_id: approval.account_id,
  inbox_id: isForAccountOwners(approval) ? null : approval.inbox_id,
});
