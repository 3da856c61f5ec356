import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** The target of an entry whose address belonged to nobody in this service. */
export const OUTSIDE = "outside";

/** The author of an entry: a key or an app, or a person in charge, who vouches for whom it names. */
export const MadeBy = z
  .enum(["key", "person"])
  .describe("Whether a key or app made it, or a person in charge, who thereby vouches for whom it names.");

/** A sender whose authenticated mail makes tasks: an address or a domain. */
export const AllowlistEntry = z.object({
  object: z.literal("allowlist_entry").default("allowlist_entry"),
  id: z.string().describe("The entry's id."),
  inbox_id: z.string().describe("The inbox that trusts this sender."),
  address: z
    .string()
    .describe(
      "An address, or a domain for everybody at exactly this domain, in lower case; or a phone number in E.164.",
    ),
  made_by: MadeBy,
  created_at: Timestamp.describe("When it was added (ISO 8601, UTC)."),
});
export type AllowlistEntry = z.infer<typeof AllowlistEntry>;

/** An allowlist entry as stored. */
export const AllowlistRecord = AllowlistEntry.omit({ object: true }).extend({
  account_id: z.string().describe("The account that it belongs to."),
  names: z
    .string()
    .describe(
      "What it named when it was made: `outside`, or the id of the inbox that its address was delivered to here.",
    ),
});
export type AllowlistRecord = z.infer<typeof AllowlistRecord>;
