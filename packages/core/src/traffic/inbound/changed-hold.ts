import type { Work } from "../../kernel/work.ts";
import { isHeld, refreshPreview, searchDocument } from "../../mailbox/messages/index.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import { voidApprovals } from "../../owners/approvals/index.ts";

/**
 * Does what follows once a stored message is held, or held no more: what a search finds of it, what its thread shows,
 * and requests to release it, which end when it is free. `text_words` are those of its text where they were read before.
 */
export async function followHold(
  work: Work,
  message: MessageRecord,
  body: MessageBodyRecord,
  text_words: string | undefined,
  now: Date,
): Promise<void> {
  if (!isHeld(message)) await voidApprovals(work, message.id, now);
  work.unindex([message.id]);
  work.index([searchDocument(message, body, text_words)]);
  await refreshPreview(work, message.thread_id);
}
