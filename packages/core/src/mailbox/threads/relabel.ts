import type { InboxContext } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import { iso } from "../../model/fields.ts";
import type { ThreadRecord } from "../../model/threads.ts";
import { relabel } from "../messages/relabel.ts";
import { changeLabels } from "../messages/rules.ts";
import { findThread } from "./find.ts";
import { splitLabelChange } from "./rules.ts";

const BATCH_SIZE = 200;

/**
 * Changes a thread's labels and returns the updated thread. `read` and `unread` apply to all messages
 * received so far: the first 200 in the same transaction as the labels, the rest in further ones.
 */
export async function relabelThread(
  ctx: InboxContext,
  thread_id: string,
  add: readonly string[],
  remove: readonly string[],
): Promise<ThreadRecord> {
  const { own, ofMessages } = splitLabelChange(add, remove);
  const first = await ctx.transaction(async (work) => {
    const thread = await findThread(work, ctx.inbox.id, thread_id);
    const labels = changeLabels(thread.labels, own.add, own.remove);
    await work.update("threads", { id: thread_id }, { labels, updated_at: iso(ctx.now) });
    const next =
      ofMessages === null
        ? undefined
        : await markBatch(work, thread_id, ofMessages, "", thread.last_message_id);
    return { next, end: thread.last_message_id };
  });
  for (let next = first.next; next !== undefined && ofMessages !== null; ) {
    const from = next;
    next = await ctx.transaction((work) => markBatch(work, thread_id, ofMessages, from, first.end));
  }
  return findThread(ctx.storage, ctx.inbox.id, thread_id);
}

/** Marks the next messages after `from`, up to `end`; returns the last id when there may be more. */
async function markBatch(
  work: Work,
  thread_id: string,
  mark: string,
  from: string,
  end: string,
): Promise<string | undefined> {
  const messages = await work.find("messages", {
    where: { thread_id, id: { gt: from, lte: end } },
    order: { by: "id", direction: "asc" },
    limit: BATCH_SIZE,
  });
  const inbound = messages.filter(({ direction }) => direction === "inbound");
  await relabel(work, inbound, [mark], []);
  return messages.length < BATCH_SIZE ? undefined : messages.at(-1)?.id;
}
