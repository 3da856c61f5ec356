import type { InboxContext } from "../../kernel/context.ts";
import { iso } from "../../model/fields.ts";
import type { ThreadFolder, ThreadRecord } from "../../model/threads.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { publishFolder } from "../messages/threading/folder.ts";
import { withTrashFields } from "../messages/trash/find-trash.ts";
import { trashThread } from "./delete.ts";
import { showTrashedThread } from "./list-trash.ts";

/** Moves the threads of the inbox among these to a folder, and says which ids it hasn't got. */
export async function moveThreads(
  ctx: InboxContext,
  { thread_ids, folder }: { thread_ids: string[]; folder: ThreadFolder },
) {
  const ids = [...new Set(thread_ids)];
  const { data, moved } = folder === "trash" ? await moveToTrash(ctx, ids) : await moveTo(ctx, ids, folder);
  const here = new Set(data.map(({ id }) => id));
  const not_found = ids.filter((id) => !here.has(id));
  return { object: "list" as const, data, has_more: false, next_cursor: null, moved, not_found };
}

/** In one transaction. */
function moveTo(ctx: InboxContext, ids: string[], folder: Exclude<ThreadFolder, "trash">) {
  const { inbox, now } = ctx;
  return ctx.transaction(async (work) => {
    const here = await threadsAmong(work, inbox.id, ids);
    const elsewhere = here.filter((thread) => thread.folder !== folder);
    const updated_at = iso(now);
    if (elsewhere.length > 0)
      await work.update("threads", { id: { in: elsewhere.map(({ id }) => id) } }, { folder, updated_at });
    for (const thread of elsewhere) publishFolder(work, thread, folder);
    const data = here.map((thread) =>
      thread.folder === folder ? thread : { ...thread, folder, updated_at },
    );
    return { data, moved: elsewhere.length };
  });
}

/** One after the other, as each is deleted. */
async function moveToTrash(ctx: InboxContext, ids: string[]) {
  const here = await threadsAmong(ctx.storage, ctx.inbox.id, ids);
  const data = [];
  for (const { id } of here) {
    await trashThread(ctx, id);
    const trashed = await ctx.storage.get("trash", id);
    if (trashed !== undefined) data.push(withTrashFields(showTrashedThread(trashed), trashed));
  }
  return { data, moved: data.length };
}

/** The threads of the inbox among these, in the order of `ids`. */
async function threadsAmong(
  storage: StorageReader,
  inbox_id: string,
  ids: string[],
): Promise<ThreadRecord[]> {
  const found = await storage.find("threads", { where: { id: { in: ids } }, limit: ids.length });
  const here = new Map(found.filter((thread) => thread.inbox_id === inbox_id).map((each) => [each.id, each]));
  return ids.flatMap((id) => here.get(id) ?? []);
}
