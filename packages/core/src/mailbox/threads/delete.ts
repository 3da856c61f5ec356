import type { InboxContext } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import { deleteFromThread } from "../messages/delete.ts";
import { findThread } from "./find.ts";

const BATCH_SIZE = 200;

/**
 * Deletes a thread with its messages, including mail that arrives meanwhile; returns their number. A long
 * thread takes several transactions, and the thread is consistent after each. Fails with `thread_not_found`.
 */
export async function deleteThread(ctx: InboxContext, thread_id: string): Promise<number> {
  await findThread(ctx.storage, ctx.inbox.id, thread_id);
  let messages_deleted = 0;
  for (;;) {
    const deleted = await ctx.transaction((work) => deleteBatch(work, ctx, thread_id));
    if (deleted === undefined && messages_deleted === 0)
      await findThread(ctx.storage, ctx.inbox.id, thread_id);
    if (deleted === undefined) return messages_deleted;
    messages_deleted += deleted;
  }
}

/** Deletes one batch and returns its size; undefined when the thread is gone. */
async function deleteBatch(
  work: Work,
  { now }: InboxContext,
  thread_id: string,
): Promise<number | undefined> {
  const order = { by: "id", direction: "asc" } as const;
  const messages = await work.find("messages", { where: { thread_id }, order, limit: BATCH_SIZE });
  if (messages.length === 0) return undefined;
  await deleteFromThread(work, thread_id, messages, now);
  return messages.length;
}
