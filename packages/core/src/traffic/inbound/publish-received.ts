import type { Work } from "../../kernel/work.ts";
import { channels } from "../../kernel/work.ts";
import { isReady, snapshotOf } from "../../mailbox/messages/index.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { OwnerRecord } from "../../model/owners.ts";
import type { MatchedAnswer } from "../../owners/updates/index.ts";

/** Publishes the events of a received or released message, and wakes waiting requests. */
export function publishReceived(
  work: Work,
  message: MessageRecord,
  facts: {
    held: boolean;
    held_by?: "screening" | "rule";
    owner: OwnerRecord | undefined;
    update_task_id: string | null;
    task_id: string | null;
    /** The update that the owner answers, and the answer. */
    answers?: MatchedAnswer | undefined;
  },
): void {
  const { inbox_id, id: message_id } = message;
  const snapshot = snapshotOf(message);
  if (facts.held) {
    const data = { message: snapshot, reason: facts.held_by ?? "screening" };
    work.publish({ type: "message.held", inbox_id, message_id, data });
  } else work.publish({ type: "message.received", inbox_id, message_id, data: { message: snapshot } });
  if (facts.owner !== undefined) {
    const data = {
      message: snapshot,
      owner_id: facts.owner.id,
      task_id: facts.task_id,
      answers_task_id: facts.update_task_id,
      answers_update_id: facts.answers?.update.id ?? null,
      answer: facts.answers?.answer ?? null,
    };
    work.publish({ type: "owner.reply", inbox_id, message_id, data });
  }
  if (isReady(message)) work.wake(channels.inbox(inbox_id));
}
