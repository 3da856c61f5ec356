import type { z } from "zod";
import type { AccountContext } from "../../kernel/context.ts";
import { pageOf } from "../../kernel/page.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { foundListOf, SearchHit } from "../../model/search.ts";
import { showSummary, truncateBodies } from "../messages/show.ts";
import { findMatches, type Query, readQuery } from "./find-matches.ts";
import { highlight, scoreOf } from "./highlight.ts";

/** One page of an account's or inbox's matching messages. Fails with `missing_query` or `invalid_cursor`. */
export async function searchMessages(
  ctx: AccountContext,
  { q, limit, cursor }: { q: string; limit: number; cursor?: string | undefined },
  inbox_ids: readonly string[] | undefined,
): Promise<z.input<ReturnType<typeof foundListOf<typeof SearchHit>>>> {
  const query = readQuery(q);
  const page = await pageOf<MessageRecord>({
    filter: { list: "search", account_id: ctx.account_id, q, inbox_ids },
    limit,
    cursor,
    async read(before, count) {
      const scopes = (inbox_ids ?? [null]).map((inbox_id) => ({ inbox_id, thread_id: null }));
      const found = await Promise.all(
        scopes.map((scope) => findMatches(ctx, query, scope, before ?? null, count)),
      );
      return found
        .flat()
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, count);
    },
    position: ({ id }) => id,
  });
  return { ...page, q, data: page.data.map((message) => showHit(ctx, query, message)) };
}

/** A search result: a summary with truncated text, the score and the highlights. */
export function showHit(
  { options }: Pick<AccountContext, "options">,
  { terms }: Query,
  message: MessageRecord,
) {
  const shown = truncateBodies(showSummary(message, options));
  return { score: scoreOf(message, terms), message: shown, highlights: highlight(message, terms) };
}
