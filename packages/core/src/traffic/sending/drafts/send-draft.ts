import type { Services } from "../../../kernel/context.ts";
import type { Work } from "../../../kernel/work.ts";
import { failDraft, queueOutgoing, type ReadBodies } from "../../../mailbox/messages/index.ts";
import type { DraftRecord } from "../../../model/drafts.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { MessageBodyRecord, MessageRecord } from "../../../model/messages.ts";
import type { OutboundFinding } from "../../../model/outbound.ts";
import { moveTask } from "../../../owners/tasks/index.ts";
import { phoneActOf, queuePhoneAct } from "../phone/phone-send.ts";
import { noteSent } from "./find.ts";
import { checkNotSending, outgoingOf } from "./rules.ts";
import { deleteDraft } from "./store.ts";

/**
 * Turns a draft into a queued message in the caller's transaction, so that it is sent exactly once. An approved draft
 * is kept until its message was sent. `read` is the text of its bodies, `asked_by` the key that requested it. Fails
 * with `draft_sending` or as `queueOutgoing` or, for a text or call, `queuePhoneAct` does.
 */
export async function sendDraft(
  services: Services,
  work: Work,
  inbox: InboxRecord,
  draft: DraftRecord,
  now: Date,
  {
    keep,
    read,
    asked_by,
    findings,
  }: {
    keep: boolean;
    read: ReadBodies;
    asked_by: string | null;
    findings: OutboundFinding[] | null;
  },
): Promise<{ record: MessageRecord; body: MessageBodyRecord }> {
  checkNotSending(draft);
  const send = { asked_by, findings, payload: keep ? { draft_id: draft.id } : {} };
  const act = phoneActOf(draft);
  const { record, body } =
    act === undefined
      ? await queueOutgoing(services, work, inbox, outgoingOf(draft), read, now, send)
      : await queuePhoneAct(services, work, inbox, act, now, send);
  if (keep) await work.update("drafts", { id: draft.id }, { send_status: "sending", message_id: record.id });
  else {
    noteSent(work, draft, record.id, now);
    await deleteDraft(work, draft, now);
  }
  if (draft.task_id !== null && draft.task_status !== null)
    await moveTask(work, draft.task_id, draft.task_status, now);
  return { record, body };
}

/**
 * Completes a kept draft in the transaction that records the send: deletes it when the mail was sent, or
 * marks it as failed for another try.
 */
export async function completeDraft(
  work: Work,
  draft_id: unknown,
  status: "sent" | "failed",
  reason: string,
  now: Date,
): Promise<void> {
  if (typeof draft_id !== "string") return;
  const draft = await work.get("drafts", draft_id);
  if (draft === undefined) return;
  if (status === "sent") {
    if (draft.message_id !== null) noteSent(work, draft, draft.message_id, now);
    return deleteDraft(work, draft, now);
  }
  await failDraft(work, draft.id, reason);
}
