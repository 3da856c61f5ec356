import type { MakeId } from "../ids.ts";
import { limits } from "../limits.ts";
import type { MessageRecord } from "../messages/schema.ts";
import { cut } from "../messages/show.ts";
import { iso } from "../schema.ts";
import type { TaskRecord } from "./schema.ts";

/** The task that a message becomes. Its text is the sender's words, which stay untrusted data whoever the sender is. */
export function openTask(
  makeId: MakeId,
  message: MessageRecord,
  facts: { trusted: boolean; owner_id: string | null; update_task_id: string | null },
  now: Date,
): TaskRecord {
  return {
    id: makeId("tsk"),
    account_id: message.account_id,
    inbox_id: message.inbox_id,
    message_id: message.id,
    thread_id: message.thread_id,
    task_id: facts.update_task_id,
    status: "pending",
    trusted: facts.trusted,
    injected: message.labels.includes("injected"),
    owner_id: facts.owner_id,
    sender: message.from,
    subject: message.subject,
    text: cut(message.extracted_text, limits.list_body_chars),
    text_truncated: message.extracted_text.length > limits.list_body_chars,
    auth: message.auth ?? { spf: "none", dkim: "none", dmarc: "none" },
    claim: null,
    result: null,
    created_at: iso(now),
    updated_at: iso(now),
  };
}
