import { hash } from "node:crypto";
import { fail } from "../catalogue/errors.ts";
import type { RecordOf, TableName } from "../model/tables.ts";
import type { Find, StorageReader, Where } from "../ports/storage.ts";
import { canonicalJson } from "./idempotency.ts";

/** One page of a list, and the cursor of the next. */
export interface Page<T> {
  object: "list";
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

/**
 * Reads one page. `filter` holds everything that determines the list: the cursor carries its hash, so a
 * cursor from another list or other filters fails with `invalid_cursor`. `read` returns up to `limit` items
 * after the position `after`, in list order; `position` returns an item's position.
 */
export async function pageOf<T>(list: {
  filter: Record<string, unknown>;
  limit: number;
  cursor: string | undefined;
  read(after: string | undefined, limit: number): Promise<T[]>;
  position(item: T): string;
}): Promise<Page<T>> {
  const items = await list.read(positionOf(list.cursor, list.filter), list.limit + 1);
  const data = items.slice(0, list.limit);
  const last = data.at(-1);
  const has_more = items.length > list.limit && last !== undefined;
  return {
    object: "list",
    data,
    has_more,
    next_cursor: has_more ? cursorAt(list.position(last), list.filter) : null,
  };
}

/**
 * One page of the matching records, newest (highest id) first. `filter` replaces `where` as what the cursor
 * belongs to; `only` drops records that `keep` rejects, from at most `among` records read.
 */
export function newestFirst<N extends TableName>(
  storage: Pick<StorageReader, "find">,
  table: N,
  list: {
    where: Where<N>;
    limit: number;
    cursor: string | undefined;
    filter?: Record<string, unknown>;
    only?: { among: number; keep(record: RecordOf<N>): boolean };
  },
): Promise<Page<RecordOf<N>>> {
  const { where, limit, cursor, filter = where, only } = list;
  return pageOf({
    filter: { list: table, ...filter },
    limit,
    cursor,
    async read(after, count) {
      const found = await findWithin(storage, table, {
        where: { ...where, ...(after === undefined ? {} : { id: { lt: after } }) } as Where<N>,
        order: { by: "id" as keyof RecordOf<N> & string, direction: "desc" },
        limit: only?.among ?? count,
      });
      return only === undefined ? found : found.filter(only.keep).slice(0, count);
    },
    position: (record) => (record as unknown as { id: string }).id,
  });
}

/**
 * Finds records as the storage does. Where the records of several inboxes are asked for, each inbox is read
 * by its index and the results are merged, so the cost grows with the page and not with the inboxes' mail.
 */
export async function findWithin<N extends TableName>(
  storage: Pick<StorageReader, "find">,
  table: N,
  query: Find<N> & Required<Pick<Find<N>, "order">>,
): Promise<RecordOf<N>[]> {
  const { inbox_id } = query.where as { inbox_id?: { in?: readonly string[] } };
  const inboxes = inbox_id?.in;
  if (inboxes === undefined) return storage.find(table, query);
  const found = await Promise.all(
    inboxes.map((id) =>
      storage.find(table, { ...query, where: { ...query.where, inbox_id: id } as Where<N> }),
    ),
  );
  const { by, direction } = query.order;
  const sign = direction === "asc" ? 1 : -1;
  return found
    .flat()
    .sort((a, b) => (a[by] < b[by] ? -sign : a[by] > b[by] ? sign : 0))
    .slice(0, query.limit);
}

/** The opaque cursor that continues after a position. */
export function cursorAt(position: string, filter: Record<string, unknown>): string {
  return Buffer.from(`${filterHash(filter)}.${position}`).toString("base64url");
}

/**
 * The position in a cursor. Fails with `invalid_cursor` when it belongs to another list or other filters.
 */
export function positionOf(cursor: string | undefined, filter: Record<string, unknown>): string | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const prefix = `${filterHash(filter)}.`;
  if (!text.startsWith(prefix) || text.length === prefix.length)
    throw fail("invalid_cursor", { param: "cursor" });
  return text.slice(prefix.length);
}

const filterHash = (filter: Record<string, unknown>): string =>
  hash("sha256", canonicalJson(filter), "hex").slice(0, 12);
