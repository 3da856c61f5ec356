import { z } from "zod";
import { AllowlistRecord, MadeBy } from "./allowlist.ts";
import { Timestamp } from "./fields.ts";

/** The mail that a list applies to: outgoing mail, incoming mail, or incoming replies to mail that the inbox sent. */
export const ListDirection = z.enum(["send", "receive", "reply"]);
export type ListDirection = z.infer<typeof ListDirection>;

/** Whether a list allows or blocks. */
export const ListType = z.enum(["allow", "block"]);
export type ListType = z.infer<typeof ListType>;

/**
 * An address, domain or phone number on a list of the account (`inbox_id` is null) or of an inbox.
 */
export const ListEntry = z.object({
  object: z.literal("list_entry").default("list_entry"),
  id: z.string().describe("The entry's id."),
  direction: ListDirection.describe(
    "What the list applies to: mail sent, mail received, or replies to mail that the inbox sent.",
  ),
  type: ListType.describe("Whether the list allows or blocks."),
  entry: z
    .string()
    .describe(
      "The address, domain or phone number in the form that is compared: lower case, the domain in ASCII; E.164.",
    ),
  entry_type: z
    .enum(["email", "domain", "phone"])
    .describe("Whether the entry is one address, a whole domain or a phone number."),
  inbox_id: z.string().nullable().describe("The inbox whose list it is; null for the account's."),
  reason: z.string().nullable().describe("Why it is on the list, in the caller's words; null if not said."),
  made_by: MadeBy,
  created_at: Timestamp.describe("When it was added (ISO 8601, UTC)."),
});
export type ListEntry = z.infer<typeof ListEntry>;

/** A list entry as stored. */
export const ListEntryRecord = ListEntry.omit({ object: true }).extend({
  account_id: z.string().describe("The account that it belongs to."),
  list: z.string().describe("The name of the list that the entry is on; see `listName`."),
  names: AllowlistRecord.shape.names,
});
export type ListEntryRecord = z.infer<typeof ListEntryRecord>;

/** The name of a list: the id of the inbox or account it belongs to, its direction and its type. */
export const listName = (whose: string, direction: ListDirection, type: ListType): string =>
  `${whose}:${direction}:${type}`;
