import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** A sender whose authenticated mail makes tasks: an address or a domain. */
export const AllowlistEntry = z.object({
  object: z.literal("allowlist_entry").default("allowlist_entry"),
  id: z.string(),
  inbox_id: z.string(),
  address: z.string(),
  created_at: Timestamp,
});
export type AllowlistEntry = z.infer<typeof AllowlistEntry>;

/** An allowlist entry as stored. */
export const AllowlistRecord = AllowlistEntry.omit({ object: true }).extend({ account_id: z.string() });
export type AllowlistRecord = z.infer<typeof AllowlistRecord>;
