import { idFloor } from "../catalogue/ids.ts";
import type { withinReach } from "../kernel/caller.ts";
import { openInboxes } from "../kernel/inbox/find.ts";
import { findWithin } from "../kernel/page.ts";
import type { ThreadRecord } from "../model/threads.ts";
import type { StorageReader } from "../ports/storage.ts";

/** Filters on a list of threads; all must match. `before` and `after` compare the newest message. */
export interface ThreadFilter {
  label?: string[] | undefined;
  unread?: boolean | undefined;
  before?: string | undefined;
  after?: string | undefined;
  order: "asc" | "desc";
}

type Scope = ReturnType<typeof withinReach>;

const BATCH_SIZE = 200;
const MAX_THREADS_READ = 10_000;

/**
 * Threads by their newest message, after a position. Labels and `unread` are checked on the threads
 * themselves, so one call reads at most `MAX_THREADS_READ` of them; `next` is then the position of the last
 * one read, and a page may hold fewer threads than `limit` although there are more.
 */
export async function listThreads(
  storage: StorageReader,
  scope: Scope,
  filter: ThreadFilter,
  page: { after: string | undefined; limit: number },
): Promise<{ data: ThreadRecord[]; next: string | null }> {
  const data: ThreadRecord[] = [];
  const selects = filter.unread !== undefined || (filter.label ?? []).length > 0;
  let last = page.after;
  for (let read = 0; read < MAX_THREADS_READ; ) {
    const range = rangeOf(filter, last);
    const limit = selects ? BATCH_SIZE : page.limit + 1 - data.length;
    const threads = await findWithin(storage, "threads", {
      where: { ...scope, ...(range === undefined ? {} : { last_message_id: range }) },
      order: { by: "last_message_id", direction: filter.order },
      limit,
    });
    const open = await openInboxes(storage, threads);
    for (const thread of threads) {
      if (!open.has(thread.inbox_id) || !matches(thread, filter)) continue;
      if (data.length === page.limit) return { data, next: data.at(-1)?.last_message_id ?? null };
      data.push(thread);
    }
    if (threads.length < limit) return { data, next: null };
    last = threads.at(-1)?.last_message_id;
    read += threads.length;
  }
  return { data, next: last ?? null };
}

const matches = ({ labels, unread_count }: ThreadRecord, { label = [], unread }: ThreadFilter): boolean =>
  label.every((word) => labels.includes(word)) && (unread === undefined || unread === unread_count > 0);

/** The filter and the page position as bounds on the newest messages' ids, which sort by time. */
function rangeOf(
  { before, after, order }: ThreadFilter,
  position: string | undefined,
): { lt?: string; gt?: string } | undefined {
  const upper = before === undefined ? [] : [idFloor("msg", new Date(before))];
  const lower = after === undefined ? [] : [idFloor("msg", new Date(Date.parse(after) + 1))];
  if (position !== undefined) (order === "desc" ? upper : lower).push(position);
  const [lt] = upper.toSorted();
  const gt = lower.toSorted().at(-1);
  if (lt === undefined && gt === undefined) return undefined;
  return { ...(lt === undefined ? {} : { lt }), ...(gt === undefined ? {} : { gt }) };
}
