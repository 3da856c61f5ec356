import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { CursorInput, Limit } from "./fields.ts";
import { MessageSummary } from "./messages.ts";

/** A message that a search found. */
export const SearchHit = z.object({
  object: z.literal("search_hit").default("search_hit"),
  /** From 0 to 1: the share of the query that is in the subject and the people rather than in the text. */
  score: z.number(),
  message: MessageSummary,
  /** Excerpts as escaped HTML, with `<mark>` around the matches. */
  highlights: z.object({
    subject: z.string().optional(),
    text: z.string().optional(),
    from: z.string().optional(),
    attachments: z.string().optional(),
  }),
});

/** A page of search results, and the query. */
export function foundListOf<T extends z.ZodType>(hit: T) {
  return z.object({
    object: z.literal("list").default("list"),
    q: z.string(),
    data: z.array(hit),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  });
}

/** The input fields of every search. */
export const searchFields = {
  q: z.string({ error: "missing_query" }).max(LIMITS.query_chars),
  limit: Limit(LIMITS.search_default, LIMITS.search_max),
  cursor: CursorInput.optional(),
};
