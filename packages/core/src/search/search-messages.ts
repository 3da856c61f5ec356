import type { z } from "zod";
import type { AccountContext } from "../kernel/context.ts";
import { pageOf } from "../kernel/page.ts";
import { cutBodies, showSummary } from "../messages/index.ts";
import type { MessageRecord } from "../model/messages.ts";
import type { foundListOf, SearchHit } from "../model/search.ts";
import { findMatches, type Query, readQuery } from "./find-matches.ts";
import { highlight, scoreOf } from "./highlight.ts";

/**
 * One page of the messages that a query finds in an account or in one inbox, newest first. Fails with
 * `missing_query` or `invalid_cursor`.
 */
export async function searchMessages(
  ctx: AccountContext,
  { q, limit, cursor }: { q: string; limit: number; cursor?: string | undefined },
  inbox_id: string | null,
): Promise<z.input<ReturnType<typeof foundListOf<typeof SearchHit>>>> {
  const query = readQuery(q);
  const page = await pageOf<MessageRecord>({
    filter: { list: "search", account_id: ctx.account_id, q, inbox_id },
    limit,
    cursor,
    read: (before, count) => findMatches(ctx, query, { inbox_id, thread_id: null }, before ?? null, count),
    position: ({ id }) => id,
  });
  return { ...page, q, data: page.data.map((message) => showHit(ctx, query, message)) };
}

/** A message as a search shows it: a summary, its text cut as in every list. */
export function showHit(
  { options }: Pick<AccountContext, "options">,
  { terms }: Query,
  message: MessageRecord,
) {
  const shown = cutBodies(showSummary(message, options));
  return { score: scoreOf(message, terms), message: shown, highlights: highlight(message, terms) };
}
