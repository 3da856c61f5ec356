import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** The lists that an address, or its domain, is on: of each direction the one that allows and the one that blocks. */
export const LISTED = [
  ...["tasks", "send:allow", "send:block"],
  ...["receive:allow", "receive:block", "reply:allow", "reply:block"],
] as const;

const Metadata = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .describe("The caller's own values by key: text, numbers and booleans.");

/** An address that mail came from or went to, as the stored mail says. */
export const Contact = z.object({
  object: z.literal("contact").default("contact"),
  address: z.string().describe("The address in its canonical form."),
  names: z
    .array(z.string())
    .describe(
      "The newest names that stood beside it, at most 5: in mail whose sender was authenticated, or that went to it.",
    ),
  first_seen_at: Timestamp.describe("When mail first came from it or went to it (ISO 8601, UTC)."),
  last_in_at: Timestamp.nullable().describe("When mail last came from it; null for never."),
  last_out_at: Timestamp.nullable().describe("When mail last went to it; null for never."),
  in: z.int().describe("How many mails came from it."),
  out: z.int().describe("How many mails went to it."),
  auth: z
    .object({
      pass: z.int().describe("How many mails from it had an authenticated sender."),
      fail: z.int().describe("How many had not: anybody may have written those."),
    })
    .meta({ title: "ContactAuth" })
    .describe("Whether mail from it was authenticated."),
  last_thread_id: z
    .string()
    .nullable()
    .describe("The thread of the newest mail from or to it; null if that was deleted."),
  listed: z
    .array(z.enum(LISTED))
    .describe(
      "The lists that it or its domain is on; `tasks` is the allowlist, whose senders' mail makes tasks.",
    ),
  suppressed: z
    .boolean()
    .describe(
      "Whether a suppression keeps mail from it; one that its person has lifted by writing counts until mail is sent to them.",
    ),
  own: z.boolean().describe("Whether it is of somebody in charge, or an inbox of the account."),
  known: z
    .boolean()
    .describe("Whether mail to it counts as mail to a known recipient, when what leaves is looked at."),
  metadata: Metadata,
  as_of: Timestamp.describe("Mail until then is counted; later mail is within some minutes."),
});
export type Contact = z.infer<typeof Contact>;

/** An address as the mail of one inbox shows it. Derived: made again from the mail. */
export const ContactRecord = z.object({
  inbox_id: z.string().describe("The inbox whose mail it is."),
  place: z.string().describe("The address and the inbox, by which an account's contacts are in order."),
  account_id: z.string().describe("The account that it belongs to."),
  address: Contact.shape.address,
  names: Contact.shape.names,
  first_seen_at: Contact.shape.first_seen_at,
  last_in_at: Contact.shape.last_in_at,
  last_out_at: Contact.shape.last_out_at,
  in_count: Contact.shape.in,
  out_count: Contact.shape.out,
  auth_pass: z.int().describe("How many mails from it had an authenticated sender."),
  auth_fail: z.int().describe("How many had not."),
  last_message_id: z.string().describe("The newest mail from or to it."),
});
export type ContactRecord = z.infer<typeof ContactRecord>;

/** How far the mail of an inbox is counted for its contacts. */
export const ContactCursorRecord = z.object({
  inbox_id: z.string().describe("The inbox."),
  account_id: z.string().describe("The account that it belongs to."),
  counted_to: z.string().describe("The newest message that is counted."),
});
export type ContactCursorRecord = z.infer<typeof ContactCursorRecord>;

/** The notes of callers about an address. */
export const ContactMetadataRecord = z.object({
  id: z.string().describe("The record's id."),
  account_id: z.string().describe("The account that it belongs to."),
  inbox_id: z.string().nullable().describe("The inbox that it is kept for; null for the account."),
  only_inbox_id: z.string().describe("The same; empty for the account."),
  address: Contact.shape.address,
  metadata: Metadata,
  updated_at: Timestamp.describe("When it was last changed."),
});
export type ContactMetadataRecord = z.infer<typeof ContactMetadataRecord>;
