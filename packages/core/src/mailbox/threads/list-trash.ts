import type { withinReach } from "../../kernel/access/caller.ts";
import { openInboxes } from "../../kernel/inbox/find.ts";
import { pageOf } from "../../kernel/page.ts";
import type { ThreadRecord } from "../../model/threads.ts";
import type { TrashRecord } from "../../model/trash.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { listTrash, withTrashFields } from "../messages/trash/find-trash.ts";
import { isWithin, matches, type ThreadFilter } from "./list.ts";

/** A page of the threads in the trash, newest first. */
export async function pageOfTrashedThreads(
  storage: StorageReader,
  scope: ReturnType<typeof withinReach>,
  { limit, cursor, folder: _trash, ...filter }: ThreadFilter & { limit: number; cursor?: string | undefined },
) {
  const keep = (trashed: TrashRecord) => {
    const thread = trashed.record as ThreadRecord;
    return matches(thread, filter) && isWithin(thread, filter);
  };
  const page = await pageOf<TrashRecord>({
    filter: { list: "threads.trash", ...scope, ...filter },
    limit,
    cursor,
    read: (after, count) => listTrash(storage, scope, "thr", { order: filter.order, keep }, after, count),
    position: ({ id }) => id,
  });
  const open = await openInboxes(storage, page.data);
  const data = page.data
    .filter(({ inbox_id }) => open.has(inbox_id))
    .map((trashed) => withTrashFields(showTrashedThread(trashed), trashed));
  return { ...page, data };
}

/** A thread in the trash, as it was but for its folder. */
export const showTrashedThread = ({ record }: TrashRecord): ThreadRecord => ({
  ...(record as ThreadRecord),
  folder: "trash",
});
