import type { Parts } from "../context.ts";
import type { InboxRecord } from "../inboxes/schema.ts";
import { queueOutgoing } from "../messages/outgoing.ts";
import type { MessageBodyRecord, MessageRecord } from "../messages/schema.ts";
import { moveTask } from "../tasks/move.ts";
import type { Work } from "../unit-of-work.ts";
import { checkAtRest, outgoingOf } from "./rules.ts";
import type { DraftRecord } from "./schema.ts";
import { dropDraft } from "./store.ts";

const jobsRead = 1_000;

/**
 * Turns a draft into a queued message in the caller's transaction, so that it is sent once, whatever crashes
 * or runs at the same time. An approved draft is kept until its message has left. Fails with `draft_sending`
 * or `loop_stopped`.
 */
export async function sendDraft(
  parts: Parts,
  work: Work,
  inbox: InboxRecord,
  draft: DraftRecord,
  now: Date,
  { keep }: { keep: boolean },
): Promise<{ record: MessageRecord; body: MessageBodyRecord }> {
  checkAtRest(draft);
  const payload = keep ? { draft_id: draft.id } : {};
  const { record, body } = await queueOutgoing(parts, work, inbox, outgoingOf(draft), now, { payload });
  if (keep) await work.update("drafts", { id: draft.id }, { send_status: "sending", message_id: record.id });
  else await dropDraft(work, draft, now);
  if (draft.task_id !== null && draft.task_status !== null)
    await moveTask(work, draft.task_id, draft.task_status, now);
  return { record, body };
}

/**
 * Ends the sending of a draft that was kept, in the transaction that knows how it went: a mail that left
 * takes its draft along, one that failed leaves it for another try.
 */
export async function settleDraft(
  work: Work,
  draft_id: unknown,
  status: "sent" | "failed",
  reason: string,
  now: Date,
): Promise<void> {
  if (typeof draft_id !== "string") return;
  const draft = await work.get("drafts", draft_id);
  if (draft === undefined) return;
  if (status === "sent") return dropDraft(work, draft, now);
  // The failed message keeps the client_id: a new try is a new mail.
  await work.update(
    "drafts",
    { id: draft.id },
    { send_status: "failed", send_error: reason, message_id: null, client_id: null },
  );
}

/** Gives back the drafts of messages that are deleted before they have left. */
export async function releaseDrafts(work: Work, message_ids: readonly string[], now: Date): Promise<void> {
  const where = { subject_id: { in: [...message_ids] }, kind: "message.send" as const };
  const jobs = await work.find("jobs", { where, limit: jobsRead });
  for (const { payload } of jobs)
    await settleDraft(work, payload["draft_id"], "failed", "message_deleted", now);
}
