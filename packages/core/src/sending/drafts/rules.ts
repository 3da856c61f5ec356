import { fail } from "../../catalogue/errors.ts";
import { limits } from "../../catalogue/limits.ts";
import { holdsAny, type Permission } from "../../catalogue/permissions.ts";
import type { Outgoing } from "../../messages/index.ts";
import type { DraftRecord } from "../../model/drafts.ts";

/** Holds a time to send to what lies ahead, at most 366 days. Fails with `invalid_send_at`. */
export function checkSendAt(send_at: string | null | undefined, now: Date): void {
  if (send_at == null) return;
  const ahead = Date.parse(send_at) - now.getTime();
  if (ahead <= 0 || ahead > limits.draft_ahead_ms) throw fail("invalid_send_at", { param: "send_at" });
}

/**
 * Who may have a draft sent. To set its time, or to change one whose time is set, is to send (interface,
 * "Authentication", 6).
 */
export const mayHaveSent: readonly Permission[] = ["message_send", "draft_send"];

/** Fails with `permission_denied` when a key that may only write drafts would have one sent. */
export function checkMaySchedule(permissions: readonly Permission[] | null, scheduled: boolean): void {
  if (scheduled && !holdsAny(permissions, mayHaveSent))
    throw fail("permission_denied", { param: "message_send" });
}

/** Fails with `draft_sending` while a draft is on its way: it can be neither changed nor sent again. */
export function checkAtRest({ send_status }: Pick<DraftRecord, "send_status">): void {
  if (send_status === "sending") throw fail("draft_sending");
}

/** The mail that a draft becomes. Its client_id passes to it. */
export const outgoingOf = (draft: DraftRecord): Outgoing => ({
  to: draft.to,
  cc: draft.cc,
  bcc: draft.bcc,
  reply_to: draft.reply_to,
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

/**
 * What a change of its words does to a draft: a question to the owners was about other words, and a failure
 * too.
 */
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
