import { z } from "zod";
import { InboxId } from "../../catalogue/id-inputs.ts";
import { inboxesWithinReach } from "../../kernel/access/caller.ts";
import { checkInbox } from "../../kernel/inbox/check.ts";
import { operation } from "../../kernel/operation.ts";
import { foundListOf, SearchHit, searchFields } from "../../model/search.ts";
import { searchMessages } from "./search-messages.ts";

/** Full-text search over stored mail. */
export const search = {
  messages: operation({
    summary: "Searches messages by words, phrases, prefixes and operators, newest first.",
    when: "Find mail by its words in any inbox, such as `invoice from:ada@example.com has:attachment`.",
    example: { q: "invoice from:ada@example.com has:attachment" },
    errors: ["invalid_query"],
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: ["message_read"],
    tool: {
      name: "search_messages",
      description: "Search mail by words, newest first.",
      fields: {
        q: 'Words, "phrases", from:, to:, subject:, label:, has:attachment, before:, after:',
      },
    },
    input: z.object({
      ...searchFields,
      inbox_id: z
        .string()
        .max(320)
        .optional()
        .describe("Only this inbox; all that the caller reaches by default."),
    }),
    output: foundListOf(SearchHit),
    async run(ctx, { inbox_id, ...asked }) {
      await checkInbox(ctx, inbox_id);
      return searchMessages(ctx, asked, inboxesWithinReach(ctx.caller, inbox_id));
    },
  }),
};

/** Search within one inbox. */
export const inboxSearch = {
  search: operation({
    summary: "Searches one inbox's messages by words, phrases, prefixes and operators, newest first.",
    when: "Find mail by its words in one inbox.",
    example: { q: '"order confirmation" after:2026-11-01' },
    errors: ["invalid_query"],
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    pages: true,
    allow: ["message_read"],
    input: z.object({ inbox_id: InboxId, ...searchFields }),
    output: foundListOf(SearchHit),
    run: (ctx, { inbox_id: _named, ...asked }) => searchMessages(ctx, asked, [ctx.inbox.id]),
  }),
};
