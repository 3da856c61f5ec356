import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { CursorInput, Limit } from "./fields.ts";
import { MessageSummary } from "./messages.ts";

/** A message that a search found. */
export const SearchHit = z.object({
  object: z.literal("search_hit").default("search_hit"),
  score: z
    .number()
    .describe(
      "From 0 to 1: the share of the query that is in the subject and the people rather than in the text.",
    ),
  message: MessageSummary.describe("The message that was found."),
  highlights: z
    .object({
      subject: z.string().optional().describe("The subject with its matches."),
      text: z.string().optional().describe("A part of the text with its matches."),
      from: z.string().optional().describe("The author with the matches."),
      attachments: z.string().optional().describe("The names of attachments with their matches."),
    })
    .meta({
      title: "SearchHighlights",
      description: "Excerpts as escaped HTML, with `<mark>` around the matches; only fields that match.",
    }),
});
export type SearchHit = z.infer<typeof SearchHit>;

/** A page of search results, and the query. */
export function foundListOf<T extends z.ZodType>(hit: T) {
  return z.object({
    object: z.literal("list").default("list"),
    q: z.string().describe("The query as it was sent."),
    data: z.array(hit).describe("The results of this page, newest first."),
    has_more: z.boolean().describe("Whether there is another page."),
    next_cursor: z
      .string()
      .nullable()
      .describe("What to send as `cursor` for the next page; null on the last one."),
  });
}

/** The input fields of every search. */
export const searchFields = {
  q: z
    .string({ error: "missing_query" })
    .max(LIMITS.query_chars, { error: "invalid_query" })
    .describe(
      `Words, "phrases", prefixes* and operators such as from:, to:, subject:, label:, has:attachment, before: and after:; at most ${LIMITS.query_chars} characters. \`label:\` finds messages with the label, and all of threads with it.`,
    ),
  limit: Limit(LIMITS.search_default, LIMITS.search_max),
  cursor: CursorInput.optional(),
};
