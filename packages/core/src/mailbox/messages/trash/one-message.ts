import type { InboxContext } from "../../../kernel/context.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import { deleteFromThread } from "../delete.ts";
import { findMessage } from "../find.ts";
import { findTrashed, trashedToRestore } from "./find-trash.ts";
import { purgeTrash } from "./purge-trash.ts";
import { restoreMessages } from "./restore-messages.ts";
import { checkMayEnd, checkMayRestore, keepsHeld } from "./rules.ts";
import { trashMessages } from "./trash-messages.ts";

/** Moves a message to the trash; returns until when it can be restored. Fails with `message_not_found`. */
export const trashMessage = (ctx: InboxContext, message_id: string): Promise<string> =>
  ctx.transaction(async (work) => {
    const message = await findMessage(work, ctx.inbox.id, message_id);
    const thread = await work.get("threads", message.thread_id);
    if (thread === undefined) throw new Error(`message ${message_id} is in no thread`);
    return (await trashMessages(work, ctx, thread, [message], { whole: false })).restorable_until;
  });

/** Deletes a message for good, wherever it is. Fails with `message_not_found` or `owner_only`. */
export const deleteMessage = (ctx: InboxContext, message_id: string): Promise<null> =>
  ctx.transaction(async (work) => {
    const trashed = await findTrashed(work, ctx.inbox.id, message_id);
    const keeps_held = keepsHeld(ctx.caller, ctx.inbox);
    if (trashed?.body != null) {
      checkMayEnd(keeps_held, [trashed.record as MessageRecord]);
      await purgeTrash(work, [trashed], ctx.now);
    } else {
      const message = await findMessage(work, ctx.inbox.id, message_id);
      checkMayEnd(keeps_held, [message]);
      await deleteFromThread(work, message.thread_id, [message], ctx.now);
    }
    return null;
  });

/**
 * Takes a message out of the trash. Others that went there with their thread stay, as if each had been deleted by
 * itself. Fails with `message_not_found`, `not_in_trash` or `owner_only`.
 */
export const restoreMessage = (ctx: InboxContext, message_id: string): Promise<MessageRecord> =>
  ctx.transaction(async (work) => {
    const trashed = await trashedToRestore(work, "msg", ctx.inbox.id, message_id);
    checkMayRestore(ctx.caller, trashed);
    const { group_id } = trashed;
    if (group_id !== null) await work.update("trash", { group_id }, { group_id: null });
    const [message] = await restoreMessages(work, ctx.inbox, [trashed], ctx.now);
    return message as MessageRecord;
  });
