import { z } from "zod";
import { Timestamp } from "../schema.ts";
import { EmailStyle } from "../owners/schema.ts";

/** Who owns keys and inboxes, as stored. */
export const AccountRecord = z.object({
  id: z.string(),
  parent_account_id: z.string().nullable(),
  created_at: Timestamp,
  /** The sequence of the newest event: grows by one per event, in commit order. */
  event_sequence: z.int(),
  /** Whether an owner outside this service has confirmed; opens what `claimed` sign-ups keep shut. */
  claimed: z.boolean(),
  lifecycle_emails: z.enum(["on", "off"]),
  owner_email_style: EmailStyle.nullable(),
  owner_email_style_note: z.string().nullable(),
});
export type AccountRecord = z.infer<typeof AccountRecord>;
