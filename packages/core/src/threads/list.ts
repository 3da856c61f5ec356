import { idFloor } from "../catalogue/ids.ts";
import { openInboxes } from "../kernel/inbox/open.ts";
import type { ThreadRecord } from "../model/threads.ts";
import type { StorageReader } from "../ports/storage.ts";

/**
 * What a list of threads may be narrowed by; all of it must hold. `before` and `after` are about the newest
 * message.
 */
export interface ThreadFilter {
  label?: string[] | undefined;
  unread?: boolean | undefined;
  before?: string | undefined;
  after?: string | undefined;
  order: "asc" | "desc";
}

type Scope = { inbox_id: string } | { account_id: string };

const step = 200;
const readAtMost = 10_000;

/**
 * Threads by their newest message, beyond a position. A label is looked for on the threads themselves, so one
 * call reads at most `readAtMost` of them; `next` is then the last one looked at, and a page may hold less
 * than asked for and still go on.
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
  for (let read = 0; read < readAtMost; ) {
    const range = rangeOf(filter, last);
    const limit = selects ? step : page.limit + 1 - data.length;
    const threads = await storage.find("threads", {
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

/** The ids of newest messages sort by time: the bounds of the filter joined with the position of the page. */
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
