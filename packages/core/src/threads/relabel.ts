import type { InboxContext } from "../kernel/context.ts";
import type { Work } from "../kernel/work.ts";
import { changeLabels, relabel } from "../messages/index.ts";
import { iso } from "../model/fields.ts";
import type { ThreadRecord } from "../model/threads.ts";
import { inboxThread } from "./find.ts";
import { splitChange } from "./rules.ts";

const stepMessages = 200;

/**
 * Changes a thread's own labels. `read` and `unread` are its messages': they change on all that came in so
 * far, in one transaction with the labels up to 200 messages, and in further ones beyond. Answers the thread
 * as it then is.
 */
export async function relabelThread(
  ctx: InboxContext,
  thread_id: string,
  add: readonly string[],
  remove: readonly string[],
): Promise<ThreadRecord> {
  const { own, ofMessages } = splitChange(add, remove);
  const first = await ctx.transaction(async (work) => {
    const thread = await inboxThread(work, ctx.inbox.id, thread_id);
    const labels = changeLabels(thread.labels, own.add, own.remove);
    await work.update("threads", { id: thread_id }, { labels, updated_at: iso(ctx.now) });
    const next =
      ofMessages === null
        ? undefined
        : await markStep(work, thread_id, ofMessages, "", thread.last_message_id);
    return { next, end: thread.last_message_id };
  });
  for (let next = first.next; next !== undefined && ofMessages !== null; ) {
    const from = next;
    next = await ctx.transaction((work) => markStep(work, thread_id, ofMessages, from, first.end));
  }
  return inboxThread(ctx.storage, ctx.inbox.id, thread_id);
}

/** Marks the next messages behind `from`, up to `end`; answers the last one when there may be more. */
async function markStep(
  work: Work,
  thread_id: string,
  mark: string,
  from: string,
  end: string,
): Promise<string | undefined> {
  const messages = await work.find("messages", {
    where: { thread_id, id: { gt: from, lte: end } },
    order: { by: "id", direction: "asc" },
    limit: stepMessages,
  });
  const inbound = messages.filter(({ direction }) => direction === "inbound");
  await relabel(work, inbound, [mark], []);
  return messages.length < stepMessages ? undefined : messages.at(-1)?.id;
}
