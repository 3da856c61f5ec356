import { z } from "zod";
import type { AccountContext } from "../context.ts";
import { fail } from "../errors.ts";
import { idFloor } from "../ids.ts";
import { limits } from "../limits.ts";
import { type MessageRecord, MessageSummary } from "../messages/schema.ts";
import { isHeld, showSummary } from "../messages/show.ts";
import { operation } from "../operation.ts";
import { CursorInput, pageOf } from "../page.ts";
import type { StorageReader } from "../ports/storage.ts";
import { Limit } from "../schema.ts";
import { highlight, scoreOf } from "./highlight.ts";
import { parseQuery, QUERY_MAX_CHARS, type SearchFilters } from "./parse-query.ts";

/** A message that a search found. */
export const SearchHit = z.object({
  object: z.literal("search_hit").default("search_hit"),
  /** From 0 to 1: how much of what was asked stands in the subject and the people rather than in the text. */
  score: z.number(),
  message: MessageSummary,
  /** Pieces of the message as escaped HTML with `<mark>` around what was found. */
  highlights: z.object({
    subject: z.string().optional(),
    text: z.string().optional(),
    from: z.string().optional(),
    attachments: z.string().optional(),
  }),
});

/** Full-text search over stored mail. */
export const search = {
  messages: operation({
    summary: "Finds messages by words, phrases, prefixes and operators, newest first.",
    scope: "filtered",
    allow: ["message_read"],
    input: z.object({
      q: z.string({ error: "missing_query" }).max(QUERY_MAX_CHARS),
      inbox_id: z.string().max(320).optional(),
      limit: Limit(limits.search_default, limits.search_max),
      cursor: CursorInput.optional(),
    }),
    output: z.object({
      object: z.literal("list").default("list"),
      q: z.string(),
      data: z.array(SearchHit),
      has_more: z.boolean(),
      next_cursor: z.string().nullable(),
    }),
    async run(ctx, { q, inbox_id = ctx.caller.inbox_id ?? undefined, limit, cursor }) {
      const query = parseQuery(q);
      if (query.terms.length === 0 && isEmpty(query.filters)) throw fail("missing_query", { param: "q" });
      const page = await pageOf<MessageRecord>({
        filter: { list: "search", account_id: ctx.account_id, q, inbox_id },
        limit,
        cursor,
        read: (before, count) => findMatches(ctx, query, inbox_id ?? null, before ?? null, count),
        position: ({ id }) => id,
      });
      const data = page.data.map((message) => ({
        score: scoreOf(message, query.terms),
        message: showSummary(message, ctx.options),
        highlights: highlight(message, query.terms),
      }));
      return { ...page, q, data };
    },
  }),
};

const step = 100;
const examined = 2_000;

/** Walks the word index newest first and checks the filters on the messages; gives up after so many that a query costs what it may. */
async function findMatches(
  { storage, account_id }: AccountContext,
  { terms, filters }: ReturnType<typeof parseQuery>,
  inbox_id: string | null,
  from: string | null,
  count: number,
): Promise<MessageRecord[]> {
  const found: MessageRecord[] = [];
  const oldest = filters.after === null ? "" : idFloor("msg", new Date(filters.after));
  let before = earlier(from, filters.before === null ? null : idFloor("msg", new Date(filters.before)));
  for (let seen = 0; seen < examined; seen += step) {
    const ids = await storage.search({ account_id, inbox_id, thread_id: null, terms, before, limit: step });
    const messages =
      ids.length === 0
        ? []
        : await storage.find("messages", { where: { id: { in: ids } }, order: { by: "id", direction: "desc" }, limit: step });
    const open = await openInboxes(storage, messages);
    for (const message of messages) {
      if (message.id < oldest) return found;
      if (open.has(message.inbox_id) && passes(message, filters)) found.push(message);
      if (found.length === count) return found;
    }
    before = ids.at(-1) ?? null;
    if (ids.length < step) return found;
  }
  return found;
}

/** The inboxes of messages that are still there: what a deleted one leaves is purged by and by, and shown no more. */
async function openInboxes(storage: StorageReader, messages: readonly MessageRecord[]): Promise<Set<string>> {
  const ids = [...new Set(messages.map(({ inbox_id }) => inbox_id))];
  const inboxes = ids.length === 0 ? [] : await storage.find("inboxes", { where: { id: { in: ids } }, limit: ids.length });
  return new Set(inboxes.map(({ id }) => id));
}

function passes(message: MessageRecord, { labels, has_attachment }: SearchFilters): boolean {
  return (
    labels.every((label) => message.labels.includes(label)) &&
    (!has_attachment || (message.attachments.length > 0 && !isHeld(message)))
  );
}

const isEmpty = ({ labels, has_attachment, before, after }: SearchFilters): boolean =>
  labels.length === 0 && !has_attachment && before === null && after === null;

const earlier = (a: string | null, b: string | null): string | null => (a === null || (b !== null && b < a) ? b : a);
