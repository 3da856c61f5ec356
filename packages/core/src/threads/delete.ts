import type { InboxContext } from "../kernel/context.ts";
import type { Work } from "../kernel/work.ts";
import { deleteFromThread } from "../messages/index.ts";

import { inboxThread } from "./find.ts";

const stepMessages = 200;

/**
 * Deletes a thread with its messages and says how many there were. A long one goes in several transactions,
 * after each of which the thread is smaller and true; mail that comes in meanwhile goes too. Fails with
 * `thread_not_found`.
 */
export async function deleteThread(ctx: InboxContext, thread_id: string): Promise<number> {
  await inboxThread(ctx.storage, ctx.inbox.id, thread_id);
  let messages_deleted = 0;
  for (;;) {
    const step = await ctx.transaction((work) => deleteStep(work, ctx, thread_id));
    if (step === undefined && messages_deleted === 0) await inboxThread(ctx.storage, ctx.inbox.id, thread_id);
    if (step === undefined) return messages_deleted;
    messages_deleted += step;
  }
}

/** How many messages went with one step; undefined when the thread is gone. */
async function deleteStep(work: Work, { now }: InboxContext, thread_id: string): Promise<number | undefined> {
  const order = { by: "id", direction: "asc" } as const;
  const messages = await work.find("messages", { where: { thread_id }, order, limit: stepMessages });
  if (messages.length === 0) return undefined;
  await deleteFromThread(work, thread_id, messages, now);
  return messages.length;
}
