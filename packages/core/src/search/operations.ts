import { z } from "zod";
import { checkInbox } from "../feed/check-inbox.ts";
import { operation } from "../operation.ts";
import { foundListOf, SearchHit, searchFields } from "./schema.ts";
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
