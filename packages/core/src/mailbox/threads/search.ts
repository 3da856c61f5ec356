import type { z } from "zod";
import { idFloor, timeOfId } from "../../catalogue/ids.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { pageOf } from "../../kernel/page.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { foundListOf, SearchHit } from "../../model/search.ts";
import { Thread } from "../../model/threads.ts";
import { findMatches, type Query, readQuery } from "../search/find-matches.ts";
import { showHit } from "../search/search-messages.ts";

/** A thread found by a search, with its newest matching message. */
const ThreadHit = SearchHit.extend({ thread: Thread.describe("The thread that it is in.") }).meta({
  title: "ThreadSearchHit",
});
/** The result of a search for threads. */
export const FoundThreads = foundListOf(ThreadHit);

const BATCH_SIZE = 100;
const MAX_BATCHES = 20;

/**
 * Returns one page of an inbox's threads that match a query, each once, sorted by their newest matching message. The
 * cursor carries the first result's: later matches are ignored, so a thread that gets mail meanwhile is not missed.
 */
export async function searchThreads(
  ctx: InboxContext,
  { q, limit, cursor }: { q: string; limit: number; cursor?: string | undefined },
): Promise<z.input<typeof FoundThreads>> {
  const { inbox, storage } = ctx;
  const query = readQuery(q);
  let begun: string | undefined;
  const page = await pageOf<MessageRecord>({
    filter: { list: "threads.search", inbox_id: inbox.id, q },
    limit,
    cursor,
    async read(position, count) {
      const [before = null, first] = position?.split(".") ?? [];
      const found = await newestMatches(ctx, query, { before, begun: first }, count);
      begun = first ?? found[0]?.id;
      return found;
    },
    position: ({ id }) => `${id}.${begun}`,
  });
  const ids = page.data.map(({ thread_id }) => thread_id);
  const threads =
    ids.length === 0 ? [] : await storage.find("threads", { where: { id: { in: ids } }, limit: ids.length });
  const byId = new Map(threads.map((thread) => [thread.id, thread]));
  const data = page.data.flatMap((message) => {
    const thread = byId.get(message.thread_id);
    return thread === undefined ? [] : [{ ...showHit(ctx, query, message), thread }];
  });
  return { ...page, q, data };
}

/** Each thread's newest matching message, without threads that were on an earlier page. */
async function newestMatches(
  ctx: InboxContext,
  query: Query,
  { before: from, begun }: { before: string | null; begun: string | undefined },
  count: number,
): Promise<MessageRecord[]> {
  const inbox_id = ctx.inbox.id;
  const seen = new Set<string>();
  const found: MessageRecord[] = [];
  let before = from;
  for (let taken = 0; taken < MAX_BATCHES; taken++) {
    const matches = await findMatches(ctx, query, { inbox_id, thread_id: null }, before, BATCH_SIZE);
    for (const message of matches) {
      if (seen.has(message.thread_id)) continue;
      seen.add(message.thread_id);
      if (begun !== undefined && (await hasNewerMatch(ctx, query, message, begun))) continue;
      found.push(message);
      if (found.length === count) return found;
    }
    before = matches.at(-1)?.id ?? null;
    if (matches.length < BATCH_SIZE) return found;
  }
  return found;
}

/** Whether a thread has a newer match that was there when the search was begun: it was on an earlier page. */
async function hasNewerMatch(
  ctx: InboxContext,
  query: Query,
  { id, inbox_id, thread_id }: MessageRecord,
  begun: string,
): Promise<boolean> {
  const later = idFloor("msg", new Date(timeOfId(begun).getTime() + 1));
  const [newest] = await findMatches(ctx, query, { inbox_id, thread_id }, later, 1);
  return newest !== undefined && newest.id !== id;
}
