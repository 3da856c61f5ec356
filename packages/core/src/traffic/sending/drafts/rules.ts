import { fail } from "../../../catalogue/errors.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import { holdsAny, type Permission } from "../../../catalogue/permissions.ts";
import type { Outgoing } from "../../../mailbox/messages/index.ts";
import type { DraftKind, DraftRecord } from "../../../model/drafts.ts";
import { checkWords } from "../../gate/index.ts";

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

/** The permissions that allow sending a draft of this kind, besides `draft_send`. */
const SENDS: Record<DraftKind, Permission> = {
  ...{ new: "message_send", reply: "message_send", reply_all: "message_send", forward: "message_send" },
  ...{ sms: "sms_send", call: "call_place" },
};

/** Fails with `permission_denied` when a caller may send other drafts, but no text or no call. */
export function checkMaySend(
  permissions: readonly Permission[] | null,
  { kind }: Pick<DraftRecord, "kind">,
): void {
  if (!holdsAny(permissions, [SENDS[kind], "draft_send"]))
    throw fail("permission_denied", { param: SENDS[kind] });
}

/** The fields that can be changed in a draft of a text or call. */
const PHONE_FIELDS: readonly string[] = ["to", "text"];

/**
 * Validates the result of changing a draft of a text or call. Fails with `invalid_draft` when it sets fields that
 * only mail has, with `invalid_e164` unless it goes to one number, or as `checkWords` does.
 */
export function checkPhoneChange(
  changed: readonly string[],
  { kind, to, text }: { kind: "sms" | "call"; to: readonly string[]; text: string },
): void {
  const param = changed.find((field) => !PHONE_FIELDS.includes(field));
  if (param !== undefined)
    throw fail("invalid_draft", {
      param,
      message: `A ${kind === "sms" ? "text message" : "call"} has no ${param}.`,
      fix: "Change only `to`, one phone number, and `text`, the words.",
    });
  if (to.length !== 1 || !to.every(isNumber)) throw fail("invalid_e164", { param: "to" });
  checkWords({ kind, text });
}

/** Fails with `invalid_address` when a mail is to go to a phone number. */
export function checkMailRecipients(to: readonly string[]): void {
  if (to.some(isNumber)) throw fail("invalid_address", { param: "to" });
}

const isNumber = (recipient: string): boolean => !recipient.includes("@");

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
