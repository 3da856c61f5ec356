import type { Work } from "../../kernel/work.ts";
import { channels } from "../../kernel/work.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { attentionOf, changeLabels } from "./rules.ts";
import { everyTermOf, isReady, storedTermsOf, term } from "./terms.ts";

/**
 * Changes the labels of messages in the caller's transaction, with their filter terms and their threads'
 * unread counts; returns the updated messages. Protected labels are allowed: the caller checks permissions.
 */
export async function relabel(
  work: Work,
  messages: readonly MessageRecord[],
  add: readonly string[],
  remove: readonly string[],
): Promise<MessageRecord[]> {
  const relabelled = messages.map((message) => {
    const updated = { ...message, labels: changeLabels(message.labels, add, remove) };
    return { message, updated: { ...updated, attention: attentionAfter(message, updated) } };
  });
  const changed = relabelled.filter(({ message, updated }) => !sameLabels(updated.labels, message.labels));
  const implied = await impliedAddresses(
    work,
    changed.map(({ message }) => message),
  );
  const unread = new Map<string, number>();
  for (const { message, updated } of changed) {
    const { labels, attention } = updated;
    await work.update("messages", { id: message.id }, { labels, attention });
    await changeTerms(work, message, updated, implied.get(message.id));
    const difference = Number(labels.includes("unread")) - Number(message.labels.includes("unread"));
    unread.set(message.thread_id, (unread.get(message.thread_id) ?? 0) + difference);
    if (isReady(updated) && !isReady(message)) work.wake(channels.inbox(message.inbox_id));
  }
  for (const [id, difference] of unread) {
    if (difference !== 0) await work.update("threads", { id }, { unread_count: { add: difference } });
  }
  return relabelled.map(({ updated }) => updated);
}

/** Only being held is a matter of labels: whether a message counts as failed was decided when it failed. */
function attentionAfter(before: MessageRecord, after: MessageRecord): MessageRecord["attention"] {
  if (after.labels.includes("held")) return "held";
  return before.attention === "held" ? attentionOf(after) : before.attention;
}

async function changeTerms(
  work: Work,
  before: MessageRecord,
  after: MessageRecord,
  here: string | undefined,
): Promise<void> {
  const newTerms = storedTermsOf(after, here);
  const kept = storedTermsOf(before, here).filter((word) => newTerms.includes(word));
  const { inbox_id, id: message_id } = after;
  // Older versions stored a row for each term that `ready` stands for.
  const removed = everyTermOf(before).filter((word) => !kept.includes(word));
  const added = newTerms.filter((word) => !kept.includes(word));
  if (removed.length > 0) await work.delete("message_terms", { inbox_id, term: { in: removed }, message_id });
  work.append(
    "message_terms",
    added.map((word) => ({ inbox_id, term: word, message_id })),
  );
}

/** Returns, by message, the inbox's address if the message has no row for it because another row implies it. */
async function impliedAddresses(
  work: Work,
  messages: readonly MessageRecord[],
): Promise<Map<string, string | undefined>> {
  const implied = new Map<string, string | undefined>();
  for (const [inbox_id, ready] of Map.groupBy(messages.filter(isReady), (message) => message.inbox_id)) {
    const where = { inbox_id, term: term.ready_here, message_id: { in: ready.map(({ id }) => id) } };
    const [rows, inbox] = await Promise.all([
      work.find("message_terms", { where, limit: ready.length }),
      work.get("inboxes", inbox_id),
    ]);
    for (const { message_id } of rows) implied.set(message_id, inbox?.email);
  }
  return implied;
}

const sameLabels = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((label) => b.includes(label));
