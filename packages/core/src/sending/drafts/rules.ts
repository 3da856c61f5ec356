import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny, type Permission } from "../../catalogue/permissions.ts";
import type { Outgoing } from "../../messages/index.ts";
import type { DraftRecord } from "../../model/drafts.ts";

/** Fails with `invalid_send_at` unless the time is in the future, at most 366 days ahead. */
export function checkSendAt(send_at: string | null | undefined, now: Date): void {
  if (send_at == null) return;
  const ahead = Date.parse(send_at) - now.getTime();
  if (ahead <= 0 || ahead > LIMITS.draft_ahead_ms) throw fail("invalid_send_at", { param: "send_at" });
}

/**
 * The permissions to send a draft. Scheduling one, or changing a scheduled one, counts as sending (interface,
 * "Authentication", 6).
 */
const SEND_PERMISSIONS: readonly Permission[] = ["message_send", "draft_send"];

/** Fails with `permission_denied` when a caller that may only write drafts would schedule one. */
export function checkMaySchedule(permissions: readonly Permission[] | null, scheduled: boolean): void {
  if (scheduled && !holdsAny(permissions, SEND_PERMISSIONS))
    throw fail("permission_denied", { param: "message_send" });
}

/** Fails with `draft_sending` while a draft is being sent: it can be neither changed nor sent again. */
export function checkNotSending({ send_status }: Pick<DraftRecord, "send_status">): void {
  if (send_status === "sending") throw fail("draft_sending");
}

/** The mail that a draft becomes, with the same client_id. */
export const outgoingOf = (draft: DraftRecord): Outgoing => ({
  to: draft.to,
  cc: draft.cc,
  bcc: draft.bcc,
  reply_to: draft.reply_to,
  names: draft.names,
  subject: draft.subject,
  text: draft.text,
  html: draft.html,
  headers: draft.headers,
  labels: draft.labels,
  attachments: draft.attachments,
  client_id: draft.client_id,
  in_reply_to: draft.in_reply_to,
  references: draft.references,
  thread_id: draft.thread_id,
});

/** The status fields after an edit: approval requests and failures concerned the old content. */
export function afterEdit(
  draft: Pick<DraftRecord, "send_status" | "approval_status">,
  send_at: string | null,
) {
  return {
    send_at,
    send_status: send_at === null ? ("draft" as const) : ("scheduled" as const),
    send_error: null,
    approval_status: draft.approval_status === null ? null : ("cancelled" as const),
  };
}
