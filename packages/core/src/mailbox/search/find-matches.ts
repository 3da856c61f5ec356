import { fail } from "../../catalogue/errors.ts";
import { idFloor } from "../../catalogue/ids.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { openInboxes } from "../../kernel/inbox/find.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { parseQuery, type SearchFilters } from "./parse-query.ts";

/** A parsed query. */
export type Query = ReturnType<typeof parseQuery>;

/** The scope of a search: an account, one of its inboxes, or one thread. */
export interface SearchScope {
  inbox_id: string | null;
  thread_id: string | null;
}

const BATCH_SIZE = 100;
const MAX_EXAMINED = 2_000;

/** Parses a query. Fails as `parseQuery` does, and with `missing_query` when it contains nothing to search for. */
export function readQuery(q: string): Query {
  const query = parseQuery(q);
  if (query.terms.length === 0 && isEmpty(query.filters)) throw fail("missing_query", { param: "q" });
  return query;
}

/**
 * The matching messages older than `from`, newest first. Scans the word index and checks the filters on the
 * messages; stops after `MAX_EXAMINED`, which bounds the cost of a query.
 */
export async function findMatches(
  { storage, account_id }: Pick<AccountContext, "storage" | "account_id">,
  { terms, filters }: Query,
  scope: SearchScope,
  from: string | null,
  count: number,
): Promise<MessageRecord[]> {
  const found: MessageRecord[] = [];
  const oldest = filters.after === null ? "" : idFloor("msg", new Date(filters.after));
  let before = earlier(from, filters.before === null ? null : idFloor("msg", new Date(filters.before)));
  const { labels, has_attachment } = filters;
  // Without a filter nearly every match is shown, so a page is enough.
  const size = labels.length === 0 && !has_attachment ? Math.min(BATCH_SIZE, count) : BATCH_SIZE;
  for (let seen = 0; seen < MAX_EXAMINED; seen += size) {
    const ids = await storage.search({ account_id, ...scope, terms, before, limit: size });
    const messages =
      ids.length === 0
        ? []
        : await storage.find("messages", {
            where: { id: { in: ids } },
            order: { by: "id", direction: "desc" },
            limit: size,
          });
    const open = await openInboxes(storage, messages);
    const labelsOf = labels.length === 0 ? messageLabels : await labelsWithThreads(storage, messages);
    for (const message of messages) {
      if (message.id < oldest) return found;
      if (open.has(message.inbox_id) && passes(message, labelsOf(message), filters)) found.push(message);
      if (found.length === count) return found;
    }
    before = ids.at(-1) ?? null;
    if (ids.length < size) return found;
  }
  return found;
}

const messageLabels = ({ labels }: MessageRecord): readonly string[] => labels;

/** The labels of each message with those of its thread: who labels a conversation labels what is in it. */
async function labelsWithThreads(
  storage: AccountContext["storage"],
  messages: readonly MessageRecord[],
): Promise<typeof messageLabels> {
  const ids = [...new Set(messages.map(({ thread_id }) => thread_id))];
  const threads =
    ids.length === 0 ? [] : await storage.find("threads", { where: { id: { in: ids } }, limit: ids.length });
  const own = new Map(threads.map(({ id, labels }) => [id, labels]));
  return ({ labels, thread_id }) => [...labels, ...(own.get(thread_id) ?? [])];
}

function passes(
  message: MessageRecord,
  own: readonly string[],
  { labels, has_attachment }: SearchFilters,
): boolean {
  return labels.every((label) => own.includes(label)) && (!has_attachment || message.attachments.length > 0);
}

const isEmpty = ({ labels, has_attachment, before, after }: SearchFilters): boolean =>
  labels.length === 0 && !has_attachment && before === null && after === null;

const earlier = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b < a) ? b : a;
