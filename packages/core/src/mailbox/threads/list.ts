import { fail } from "../../catalogue/errors.ts";
import { idFloor } from "../../catalogue/ids.ts";
import type { withinReach } from "../../kernel/access/caller.ts";
import { openInboxes } from "../../kernel/inbox/find.ts";
import { findWithin } from "../../kernel/page.ts";
import type { ThreadFolder, ThreadRecord } from "../../model/threads.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** Filters on a list of threads; all must match. `before` and `after` compare the newest message. */
export interface ThreadFilter {
  folder?: ThreadFolder | undefined;
  label?: string[] | undefined;
  unread?: boolean | undefined;
  assignee?: string | undefined;
  unassigned?: boolean | undefined;
  before?: string | undefined;
  after?: string | undefined;
  order: "asc" | "desc";
}

type Scope = ReturnType<typeof withinReach>;

/** A thread in a list, and the newest message that it had when the list was begun. */
interface Placed {
  thread: ThreadRecord;
  position: string;
}

const BATCH_SIZE = 200;
const MAX_THREADS_READ = 10_000;
/** The maximum number of threads with mail since the list was begun; each page reads them all. */
const MAX_MOVED = 1_000;
const NEXT_PAGE = /^([^.]+)\.([^.]+)$/;

/**
 * Returns threads by their newest message, after a position. The order is that of the moment when the first page was
 * read: `next` carries it, so a thread that gets mail between two pages is neither repeated nor missed. Labels and
 * `unread` are checked on the threads themselves, so one call reads at most `MAX_THREADS_READ` of them; a page may
 * then hold fewer threads than `limit` although there are more. Fails with `invalid_cursor` when more than
 * `MAX_MOVED` threads got mail since.
 */
export async function listThreads(
  storage: StorageReader,
  scope: Scope,
  filter: ThreadFilter,
  page: { after: string | undefined; limit: number },
): Promise<{ data: ThreadRecord[]; next: string | null }> {
  const [, after, begun = await newestMessage(storage, scope)] = NEXT_PAGE.exec(page.after ?? "") ?? [];
  if (begun === undefined) return { data: [], next: null };
  const list = { storage, scope, filter, begun };
  const { found, end } = await readUnmoved(list, after, page.limit + 1);
  const known = new Set(found.map(({ thread }) => thread.id));
  const moved = (await readMoved(list, { after, end })).filter(({ thread }) => !known.has(thread.id));
  const sign = filter.order === "asc" ? 1 : -1;
  const placed = [...found, ...moved].sort((a, b) => (a.position < b.position ? -sign : sign));
  const data = placed.slice(0, page.limit);
  const last = placed.length > page.limit ? data.at(-1)?.position : end;
  return { data: data.map(({ thread }) => thread), next: last == null ? null : `${last}.${begun}` };
}

interface List {
  storage: StorageReader;
  scope: Scope;
  filter: ThreadFilter;
  /** The newest message of all when the first page was read. */
  begun: string;
}

async function newestMessage(storage: StorageReader, scope: Scope): Promise<string | undefined> {
  const order = { by: "last_message_id", direction: "desc" } as const;
  const [thread] = await findWithin(storage, "threads", { where: scope, order, limit: 1 });
  return thread?.last_message_id;
}

/** Up to `count` threads without mail since; `end` is where reading ended, or null at the end of the list. */
async function readUnmoved(
  { storage, scope, filter, begun }: List,
  after: string | undefined,
  count: number,
): Promise<{ found: Placed[]; end: string | null }> {
  const selects =
    [filter.folder, filter.unread, filter.assignee, filter.unassigned].some((each) => each !== undefined) ||
    (filter.label ?? []).length > 0;
  const found: Placed[] = [];
  let last = after;
  for (let read = 0; read < MAX_THREADS_READ; ) {
    const limit = selects ? BATCH_SIZE : count - found.length;
    const threads = await findWithin(storage, "threads", {
      where: { ...scope, last_message_id: asOf(begun, rangeOf(filter, last)) },
      order: { by: "last_message_id", direction: filter.order },
      limit,
    });
    const open = await openInboxes(storage, threads);
    for (const thread of threads) {
      last = thread.last_message_id;
      if (!open.has(thread.inbox_id) || !matches(thread, filter)) continue;
      found.push({ thread, position: last });
      if (found.length === count) return { found, end: last };
    }
    if (threads.length < limit) return { found, end: null };
    read += threads.length;
  }
  return { found, end: last ?? null };
}

/** The threads with mail since, whose newest message before that lies on this page. */
async function readMoved(
  { storage, scope, filter, begun }: List,
  { after, end }: { after: string | undefined; end: string | null },
): Promise<Placed[]> {
  const threads = await findWithin(storage, "threads", {
    where: { ...scope, last_message_id: { gt: begun } },
    order: { by: "last_message_id", direction: "asc" },
    limit: MAX_MOVED + 1,
  });
  if (threads.length > MAX_MOVED) throw fail("invalid_cursor", { param: "cursor", fix: START_AGAIN });
  const open = await openInboxes(storage, threads);
  const wanted = threads.filter((thread) => open.has(thread.inbox_id) && matches(thread, filter));
  const placed = await Promise.all(
    wanted.map(async (thread) => {
      const [message] = await storage.find("messages", {
        where: { thread_id: thread.id, id: { lte: begun } },
        order: { by: "id", direction: "desc" },
        limit: 1,
      });
      return message === undefined ? [] : [{ thread, position: message.id }];
    }),
  );
  const { lt, gt } = rangeOf(filter, after);
  const [first, final] = filter.order === "asc" ? ["", end] : [end, null];
  return placed
    .flat()
    .filter(({ position }) => (lt === undefined || position < lt) && (gt === undefined || position > gt))
    .filter(({ position }) => (first === null || position >= first) && (final === null || position <= final));
}

const START_AGAIN = "More mail came in than a list can follow. Start again without a cursor.";

/** Whether a thread is in the folder, has the labels and the unread mail that a list asks for. */
export const matches = (
  { folder, labels, unread_count, assignee }: ThreadRecord,
  { folder: wanted = folder, label = [], unread, assignee: whose, unassigned }: ThreadFilter,
): boolean =>
  folder === wanted &&
  (whose === undefined || whose === assignee) &&
  (unassigned === undefined || unassigned === (assignee === null)) &&
  label.every((word) => labels.includes(word)) &&
  (unread === undefined || unread === unread_count > 0);

/** Whether a thread's newest message is from the time that a list asks for. */
export function isWithin({ last_message_id }: ThreadRecord, filter: ThreadFilter): boolean {
  const { lt, gt } = rangeOf(filter, undefined);
  return (lt === undefined || last_message_id < lt) && (gt === undefined || last_message_id > gt);
}

/** A range of newest messages without those that came since the list was begun. */
const asOf = (begun: string, { lt, ...range }: { lt?: string; gt?: string }) =>
  lt !== undefined && lt <= begun ? { ...range, lt } : { ...range, lte: begun };

/** The filter and the page position as bounds on the newest messages' ids, which sort by time. */
function rangeOf(
  { before, after, order }: ThreadFilter,
  position: string | undefined,
): { lt?: string; gt?: string } {
  const upper = before === undefined ? [] : [idFloor("msg", new Date(before))];
  const lower = after === undefined ? [] : [idFloor("msg", new Date(Date.parse(after) + 1))];
  if (position !== undefined) (order === "desc" ? upper : lower).push(position);
  const [lt] = upper.toSorted();
  const gt = lower.toSorted().at(-1);
  return { ...(lt === undefined ? {} : { lt }), ...(gt === undefined ? {} : { gt }) };
}
