import { fail } from "../../catalogue/errors.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import type { ThreadRecord } from "../../model/threads.ts";
import { findTrashed } from "../messages/trash/find-trash.ts";
import { restoreMessages } from "../messages/trash/restore-messages.ts";
import { checkMayRestore } from "../messages/trash/rules.ts";
import { findThread } from "./find.ts";

const RESTORED_AT_ONCE = 50;

/**
 * Takes a thread out of the trash with the messages that were deleted together with it, and returns it. A long thread
 * takes several transactions; a call that was cut short is gone on with by the next. Fails with `thread_not_found`,
 * `not_in_trash` or `owner_only`.
 */
export async function restoreThread(ctx: InboxContext, thread_id: string): Promise<ThreadRecord> {
  const { inbox, now, storage, caller } = ctx;
  const trashed = await findTrashed(storage, inbox.id, thread_id);
  const live = await storage.get("threads", thread_id);
  if (trashed === undefined && live?.inbox_id !== inbox.id)
    throw notFound("thread_not_found", "thr", thread_id);
  let restored = 0;
  for (;;) {
    const taken = await ctx.transaction(async (work) => {
      const batch = await work.find("trash", {
        where: { group_id: thread_id },
        order: { by: "id", direction: "asc" },
        limit: RESTORED_AT_ONCE,
      });
      for (const each of batch) checkMayRestore(caller, each);
      await restoreMessages(work, inbox, batch, now);
      return batch.length;
    });
    if (taken === 0) break;
    restored += taken;
  }
  if (restored === 0)
    throw live === undefined ? notFound("thread_not_found", "thr", thread_id) : fail("not_in_trash");
  return findThread(storage, inbox.id, thread_id);
}
