import { z } from "zod";
import { Timestamp } from "./fields.ts";

/**
 * What a list governs: mail that is sent, mail that comes in, or mail that comes in as an answer to what the
 * inbox sent.
 */
export const ListDirection = z.enum(["send", "receive", "reply"]);
export type ListDirection = z.infer<typeof ListDirection>;

/** Whether a list lets in or keeps out. */
export const ListType = z.enum(["allow", "block"]);
export type ListType = z.infer<typeof ListType>;

/**
 * An address or a domain on a list of the account (`inbox_id` is null) or of an inbox (decisions, section
 * 11).
 */
export const ListEntry = z.object({
  object: z.literal("list_entry").default("list_entry"),
  id: z.string(),
  direction: ListDirection,
  type: ListType,
  /** The one form in which it is compared: lower case, the domain in ASCII. */
  entry: z.string(),
  entry_type: z.enum(["email", "domain"]),
  inbox_id: z.string().nullable(),
  reason: z.string().nullable(),
  created_at: Timestamp,
});
export type ListEntry = z.infer<typeof ListEntry>;

/** A list entry as stored. */
export const ListEntryRecord = ListEntry.omit({ object: true }).extend({
  account_id: z.string(),
  /** Names the one list that the entry is on; see `listName`. */
  list: z.string(),
});
export type ListEntryRecord = z.infer<typeof ListEntryRecord>;

/** The name of a list: whose it is, an inbox's or an account's id, what it governs and how. */
export const listName = (whose: string, direction: ListDirection, type: ListType): string =>
  `${whose}:${direction}:${type}`;
