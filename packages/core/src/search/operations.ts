import { z } from "zod";
import { IdInput } from "../catalogue/ids.ts";
import { checkInbox } from "../kernel/inbox/check.ts";
import { operation } from "../kernel/operation.ts";
import { foundListOf, SearchHit, searchFields } from "../model/search.ts";
import { searchMessages } from "./search-messages.ts";

/** Full-text search over stored mail. */
export const search = {
  messages: operation({
    summary: "Finds messages by words, phrases, prefixes and operators, newest first.",
    scope: "filtered",
    allow: ["message_read"],
    input: z.object({ ...searchFields, inbox_id: z.string().max(320).optional() }),
    output: foundListOf(SearchHit),
    async run(ctx, { inbox_id = ctx.caller.inbox_id ?? undefined, ...asked }) {
      await checkInbox(ctx, inbox_id);
      return searchMessages(ctx, asked, inbox_id ?? null);
    },
  }),
};

/** Search within one inbox. */
export const inboxSearch = {
  search: operation({
    summary: "Finds messages of one inbox by words, phrases, prefixes and operators, newest first.",
    scope: "inbox",
    allow: ["message_read"],
    input: z.object({ inbox_id: IdInput, ...searchFields }),
    output: foundListOf(SearchHit),
    run: (ctx, { inbox_id: _named, ...asked }) => searchMessages(ctx, asked, ctx.inbox.id),
  }),
};
