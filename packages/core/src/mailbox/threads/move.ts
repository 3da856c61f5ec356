import type { InboxContext } from "../../kernel/context.ts";
import { iso } from "../../model/fields.ts";
import type { ThreadFolder, ThreadRecord } from "../../model/threads.ts";
import { publishFolder } from "../messages/threading/folder.ts";

/** Moves the threads of the inbox among these to a folder in one transaction, and says which ids it hasn't got. */
export async function moveThreads(
  ctx: InboxContext,
  { thread_ids, folder }: { thread_ids: string[]; folder: Exclude<ThreadFolder, "trash"> },
) {
  const ids = [...new Set(thread_ids)];
  const { inbox, now } = ctx;
  return ctx.transaction(async (work) => {
    const found = await work.find("threads", { where: { id: { in: ids } }, limit: ids.length });
    const here = new Map(
      found.filter(({ inbox_id }) => inbox_id === inbox.id).map((each) => [each.id, each]),
    );
    const elsewhere = [...here.values()].filter((thread) => thread.folder !== folder);
    if (elsewhere.length > 0)
      await work.update(
        "threads",
        { id: { in: elsewhere.map(({ id }) => id) } },
        { folder, updated_at: iso(now) },
      );
    for (const thread of elsewhere) publishFolder(work, thread, folder);
    const data = ids.flatMap((id): ThreadRecord[] => {
      const thread = here.get(id);
      if (thread === undefined) return [];
      return [thread.folder === folder ? thread : { ...thread, folder, updated_at: iso(now) }];
    });
    return {
      object: "list" as const,
      data,
      has_more: false,
      next_cursor: null,
      moved: elsewhere.length,
      not_found: ids.filter((id) => !here.has(id)),
    };
  });
}
