import { z } from "zod";
import { Timestamp } from "./fields.ts";
import { Inbox } from "./inboxes.ts";
import { Key } from "./keys.ts";
import { EmailStyle } from "./owners.ts";

/** Who owns keys and inboxes, as stored. */
export const AccountRecord = z.object({
  id: z.string(),
  parent_account_id: z.string().nullable(),
  created_at: Timestamp,
  /** The sequence of the newest event: grows by one per event, in commit order. */
  event_sequence: z.int(),
  /** Whether an owner outside this service has confirmed; opens what `claimed` sign-ups keep shut. */
  claimed: z.boolean(),
  /** The first outside address that was ever verified in it: only it becomes the first account owner. */
  first_owner_email: z.string().nullable(),
  lifecycle_emails: z.enum(["on", "off"]),
  owner_email_style: EmailStyle.nullable(),
  owner_email_style_note: z.string().nullable(),
});
export type AccountRecord = z.infer<typeof AccountRecord>;

/** The answer to a sign-up (interface, "Accounts, keys, identity"). */
export const Onboarding = z.object({
  account_id: z.string(),
  api_key: z.string(),
  api_key_id: z.string(),
  inbox: Inbox,
  next_steps: z.object({
    instruction: z.string(),
    docs_url: z.string(),
    /** The id of the snippet that matters most now. */
    recommended: z.string(),
    snippets: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })),
  }),
});

/** Who the caller is (interface, "Caller identity"). */
export const Me = z.object({
  object: z.literal("me").default("me"),
  account_id: z.string(),
  parent_account_id: z.string().nullable(),
  auth_type: z.enum(["api_key", "oauth"]),
  /** Null for an app, which has no key. */
  key: Key.pick({
    id: true,
    name: true,
    prefix: true,
    inbox_id: true,
    permissions: true,
    expires_at: true,
  }).nullable(),
  lifecycle_emails: z.enum(["on", "off"]),
  owner_email_style: z.object({
    style: EmailStyle,
    note: z.string().nullable(),
    source: z.enum(["account", "default"]),
  }),
  /** Codes of the errors that the account's state keeps running into. */
  restrictions: z.array(z.string()),
  notices: z.array(z.object({ resource: z.string(), message: z.string() })),
  whats_new: z.array(z.object({ date: z.iso.date(), title: z.string() })),
  /** Present while no owner outside this service has confirmed. */
  owner_recommended: z.string().optional(),
});
