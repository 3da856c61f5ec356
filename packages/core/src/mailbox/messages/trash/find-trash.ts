import { type ErrorCode, fail } from "../../../catalogue/errors.ts";
import type { withinReach } from "../../../kernel/access/caller.ts";
import { notFound } from "../../../kernel/gate.ts";
import { findWithin } from "../../../kernel/page.ts";
import type { TrashRecord } from "../../../model/trash.ts";
import type { StorageReader } from "../../../ports/storage.ts";
import { idsOfKind } from "./rules.ts";

/** The kinds of record that the trash holds, by the prefix of their ids. */
const TRASHED = {
  msg: { table: "messages", not_found: "message_not_found" },
  thr: { table: "threads", not_found: "thread_not_found" },
  dft: { table: "drafts", not_found: "draft_not_found" },
} as const satisfies Record<string, { table: string; not_found: ErrorCode }>;
type TrashedKind = keyof typeof TRASHED;

/** Finds what an inbox has in the trash under an id; undefined without anything. */
export async function findTrashed(
  storage: Pick<StorageReader, "get">,
  inbox_id: string,
  id: string,
): Promise<TrashRecord | undefined> {
  const trashed = await storage.get("trash", id);
  return trashed?.inbox_id === inbox_id ? trashed : undefined;
}

/** The same, to be restored. Fails with `not_in_trash` for what is still there, else as if it had never been. */
export async function trashedToRestore(
  storage: Pick<StorageReader, "get">,
  kind: TrashedKind,
  inbox_id: string,
  id: string,
): Promise<TrashRecord> {
  const { table, not_found } = TRASHED[kind];
  const trashed = await findTrashed(storage, inbox_id, id);
  if (trashed !== undefined && trashed.id.startsWith(`${kind}_`)) return trashed;
  const live = await storage.get(table, id);
  throw live?.inbox_id === inbox_id ? fail("not_in_trash") : notFound(not_found, kind, id);
}

const BATCH_SIZE = 100;

/** One kind of record in the trash, in the order of their ids, after a position; at most `limit` that `keep` accepts. */
export async function listTrash(
  storage: StorageReader,
  scope: ReturnType<typeof withinReach>,
  kind: TrashedKind,
  { order, keep = () => true }: { order: "asc" | "desc"; keep?(trashed: TrashRecord): boolean },
  after: string | undefined,
  limit: number,
): Promise<TrashRecord[]> {
  const found: TrashRecord[] = [];
  for (let position = after; ; ) {
    const read = Math.min(limit, BATCH_SIZE);
    const trashed = await findWithin(storage, "trash", {
      where: { ...scope, id: idsOfKind(kind, order, position) },
      order: { by: "id", direction: order },
      limit: read,
    });
    for (const each of trashed) {
      position = each.id;
      if (keep(each)) found.push(each);
      if (found.length === limit) return found;
    }
    if (trashed.length < read) return found;
  }
}

/** A trashed record as lists of the trash show it: as it was, with until when and by whom. */
export const withTrashFields = <T extends object>(
  shown: T,
  { restorable_until, deleted_by }: TrashedFields,
): T & TrashedFields => ({ ...shown, restorable_until, deleted_by });

type TrashedFields = Pick<TrashRecord, "restorable_until" | "deleted_by">;
