import type { InboxContext } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { ThreadRecord } from "../../model/threads.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { deleteFromThread } from "../messages/delete.ts";
import { findTrashed } from "../messages/trash/find-trash.ts";
import { purgeTrash } from "../messages/trash/purge-trash.ts";
import { checkMayEnd, keepsHeld } from "../messages/trash/rules.ts";
import { trashMessages } from "../messages/trash/trash-messages.ts";
import { findThread } from "./find.ts";

const BATCH_SIZE = 200;
/** The trash keeps bodies too, which are read with their messages. */
const TRASHED_AT_ONCE = 50;

/** The result of a deletion: how many messages went, and until when they can be restored. */
interface DeletedThread {
  messages_deleted: number;
  restorable_until: string | null;
}

/**
 * Moves a thread with its messages to the trash, including mail that arrives meanwhile. A long thread takes several
 * transactions, and the thread is consistent after each. Fails with `thread_not_found`.
 */
export async function trashThread(ctx: InboxContext, thread_id: string): Promise<DeletedThread> {
  const whole = await findThread(ctx.storage, ctx.inbox.id, thread_id);
  let restorable_until = "";
  const step = async (work: Work, messages: readonly MessageRecord[]): Promise<void> => {
    const thread = (await work.get("threads", thread_id)) ?? whole;
    const shown: ThreadRecord = { ...whole, folder: thread.folder, labels: thread.labels };
    ({ restorable_until } = await trashMessages(work, ctx, shown, messages, { whole: true }));
  };
  const messages_deleted = await inBatches(ctx, thread_id, TRASHED_AT_ONCE, step);
  return { messages_deleted, restorable_until };
}

/**
 * Deletes a thread for good with its messages, wherever they are, in the same way; one in the trash goes too. Fails
 * with `thread_not_found`.
 */
export async function deleteThread(ctx: InboxContext, thread_id: string): Promise<DeletedThread> {
  const { inbox, now, storage } = ctx;
  if (keepsHeld(ctx.caller, inbox)) await checkNoneHeld(storage, inbox.id, thread_id);
  const trashed = await findTrashed(storage, inbox.id, thread_id);
  const step = (work: Work, messages: readonly MessageRecord[]) =>
    deleteFromThread(work, thread_id, messages, now);
  const live =
    trashed === undefined || (await storage.get("threads", thread_id)) !== undefined
      ? await inBatches(ctx, thread_id, BATCH_SIZE, step)
      : 0;
  return { messages_deleted: live + (await purgeThread(ctx, thread_id)), restorable_until: null };
}

/** Checks before anything is deleted that no mail of a thread is held, in the trash neither. */
async function checkNoneHeld(storage: StorageReader, inbox_id: string, thread_id: string): Promise<void> {
  for (let after = ""; ; ) {
    const where = { thread_id, id: { gt: after } };
    const order = { by: "id", direction: "asc" } as const;
    const live = await storage.find("messages", { where, order, limit: BATCH_SIZE });
    checkMayEnd(true, live);
    if (live.length < BATCH_SIZE) break;
    after = live.at(-1)?.id ?? "";
  }
  for (let after = ""; ; ) {
    const where = { inbox_id, thread_id, id: { gt: after } };
    const order = { by: "id", direction: "asc" } as const;
    const trashed = await storage.find("trash", { where, order, limit: TRASHED_AT_ONCE });
    checkMayEnd(
      true,
      trashed.flatMap(({ body, record }) => (body === null ? [] : [record as MessageRecord])),
    );
    if (trashed.length < TRASHED_AT_ONCE) return;
    after = trashed.at(-1)?.id ?? "";
  }
}

/** Takes a step for each batch of a thread's messages; returns how many there were. Fails with `thread_not_found`. */
async function inBatches(
  ctx: InboxContext,
  thread_id: string,
  limit: number,
  step: (work: Work, messages: readonly MessageRecord[]) => Promise<void>,
): Promise<number> {
  await findThread(ctx.storage, ctx.inbox.id, thread_id);
  let done = 0;
  for (;;) {
    const taken = await ctx.transaction(async (work) => {
      const messages = await oldestOf(work, thread_id, limit);
      if (messages.length > 0) await step(work, messages);
      return messages.length;
    });
    if (taken === 0 && done === 0) await findThread(ctx.storage, ctx.inbox.id, thread_id);
    if (taken === 0) return done;
    done += taken;
  }
}

const oldestOf = (work: StorageReader, thread_id: string, limit: number): Promise<MessageRecord[]> =>
  work.find("messages", { where: { thread_id }, order: { by: "id", direction: "asc" }, limit });

/** Deletes for good what the trash has of a thread; returns how many messages those were. */
async function purgeThread(ctx: InboxContext, thread_id: string): Promise<number> {
  let purged = 0;
  for (;;) {
    const taken = await ctx.transaction(async (work) => {
      const order = { by: "id", direction: "asc" } as const;
      const trashed = await work.find("trash", { where: { thread_id }, order, limit: TRASHED_AT_ONCE });
      await purgeTrash(work, trashed, ctx.now);
      return trashed;
    });
    if (taken.length === 0) return purged;
    purged += taken.filter(({ id }) => id.startsWith("msg_")).length;
  }
}
