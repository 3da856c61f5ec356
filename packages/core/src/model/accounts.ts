import { z } from "zod";
import { Permission } from "../catalogue/permissions.ts";
import { BudgetLeft } from "./budgets.ts";
import { Timestamp } from "./fields.ts";
import { Inbox } from "./inboxes.ts";
import { Key } from "./keys.ts";
import { SendMode } from "./outbound.ts";
import { EmailStyle } from "./owners.ts";

/** The owner of keys and inboxes, as stored. */
export const AccountRecord = z.object({
  id: z.string().describe("The account's id."),
  parent_account_id: z
    .string()
    .nullable()
    .describe("The account that this one belongs to; null unless it is a sub-account."),
  created_at: Timestamp.describe("When it was opened (ISO 8601, UTC)."),
  event_sequence: z
    .int()
    .describe("The sequence of the newest event: grows by one per event, in commit order."),
  storage_bytes: z
    .int()
    .describe(
      "The bytes of its messages, and of its drafts' attachments: counted as they are stored and deleted.",
    ),
  sub_account_bytes: z.int().describe("The same for all its sub-accounts together."),
  plan: z.string().nullable().describe("The plan that the operator gave it; null for the default plan."),
  suspended_at: Timestamp.nullable().describe("Since when the operator suspends it; null if it isn't."),
  deleted_at: Timestamp.nullable().describe(
    "When it was deleted; the job `account.erase` erases what it holds, and this record last. Null unless it was.",
  ),
  claimed: z
    .boolean()
    .describe(
      "Whether an owner outside this service has confirmed; lifts the restrictions of `claimed` sign-ups.",
    ),
  first_owner_email: z
    .string()
    .nullable()
    .describe(
      "The first outside address that was ever verified in it: only it becomes the first account owner.",
    ),
  lifecycle_emails: z.enum(["on", "off"]).describe("Whether the weekly product note is sent."),
  owner_email_style: EmailStyle.nullable().describe(
    "The style of emails to owners without one of their own; null for the default.",
  ),
  owner_email_style_note: z.string().nullable().describe("A wish about that style; null without one."),
  send_mode_floor: SendMode.describe(
    "The send mode that each of its inboxes has at least, those of workspaces too; `direct` is no floor.",
  ),
  receipt_head: z
    .string()
    .nullable()
    .describe(
      "The hash of the newest receipt of it and its workspaces, which the next one follows; null before.",
    ),
  letters_live_until: z
    .string()
    .describe(
      "Until when a code, or a link that acts alone, may be valid in a letter to one of the account's people (ISO 8601, UTC); empty while there was none.",
    ),
});
export type AccountRecord = z.infer<typeof AccountRecord>;

/** The answer to a sign-up (interface, "Accounts, keys, identity"). */
export const Onboarding = z
  .object({
    account_id: z.string().describe("The new account's id."),
    api_key: z
      .string()
      .describe("The secret of its first key, which has every permission; it is shown only in this answer."),
    api_key_id: z.string().describe("That key's id."),
    inbox: Inbox.describe("The first inbox."),
    next_steps: z
      .object({
        instruction: z.string().describe("What to do now, in a sentence or two."),
        docs_url: z.string().describe("Where the documentation is."),
        recommended: z.string().describe("The id of the snippet that matters most now."),
        snippets: z
          .array(
            z.object({
              id: z.string().describe("The snippet's name."),
              title: z.string().describe("What it does."),
              url: z.string().describe("Where it is documented."),
            }),
          )
          .describe("Common next steps, each with a link to its operation in the documentation."),
      })
      .describe("What a new agent does next."),
  })
  .meta({ title: "Onboarding" });
export type Onboarding = z.infer<typeof Onboarding>;

/** An account with its noted first address. */
export const NotedAccount = z.object({
  id: z.string().describe("The account's id."),
  object: z.literal("account").default("account"),
  first_owner_email: z
    .string()
    .nullable()
    .describe("The noted first address: while nobody has charge of the account, only it may take charge."),
});
export type NotedAccount = z.infer<typeof NotedAccount>;

/** An account that was deleted. */
export const DeletedAccount = z.object({
  id: z.string().describe("The account's id."),
  object: z.literal("account").default("account"),
  deleted: z.literal(true),
  keys_revoked: z.int().describe("How many of its keys were revoked."),
  erased_by: Timestamp.describe("By when all that it held is erased: within 24 hours."),
  kept: z
    .array(z.enum(["addresses"]))
    .describe("What is left of it: nothing but its addresses, which are never given to another account."),
});
export type DeletedAccount = z.infer<typeof DeletedAccount>;

const Use = z
  .object({
    used: z.int().describe("How much is used."),
    limit: z.int().nullable().describe("How much the plan allows; null for no limit."),
  })
  .meta({ title: "QuotaUse" });

/** The caller's identity (interface, "Caller identity"). */
export const Me = z.object({
  object: z.literal("me").default("me"),
  account_id: z.string().describe("The account that the caller acts in."),
  parent_account_id: z
    .string()
    .nullable()
    .describe("The account that this one belongs to; null unless it is a sub-account."),
  workspace: z
    .object({
      id: z.string().describe("The workspace's id."),
      inbox_quota: z.int().describe("How many inboxes it may have."),
    })
    .optional()
    .describe("The workspace whose account this is; absent unless it is a sub-account."),
  auth_type: z
    .enum(["api_key", "oauth", "owner"])
    .describe(
      "How the caller proves who it is: with an API key, as an app (OAuth), or signed in as an account owner.",
    ),
  key: Key.pick({
    id: true,
    name: true,
    prefix: true,
    inbox_id: true,
    permissions: true,
    expires_at: true,
  })
    .extend({
      budget: BudgetLeft.nullable().describe(
        "Its budget and what is left of it today, also by those of the keys that it descends from; null for none.",
      ),
    })
    .nullable()
    .describe("The key that asks; null for an app or a person, who have none."),
  access: z
    .object({
      permissions: z.array(Permission).nullable().describe("What the caller may do; null for everything."),
      inbox_ids: z
        .array(z.string())
        .nullable()
        .describe("The inboxes that the caller is held to; null for the whole account."),
    })
    .describe("What the caller may do and where, as a key or as an app."),
  lifecycle_emails: z
    .enum(["on", "off"])
    .describe("Whether the weekly product note is sent; `on` by default."),
  send_mode_floor: SendMode.describe(
    "The send mode that each inbox of the account and its workspaces has at least; `direct` is no floor.",
  ),
  owner_email_style: z
    .object({
      style: EmailStyle.describe("The style in use."),
      note: z
        .string()
        .nullable()
        .describe("A wish about the style, in the account's words; null without one."),
      source: z
        .enum(["account", "default"])
        .describe("Where the style comes from: the account's own choice, or the default."),
    })
    .describe("The style of emails to owners who have none of their own."),
  restrictions: z
    .array(z.string())
    .describe("Codes of the errors that the account's state causes; empty when nothing is restricted."),
  plan: z
    .string()
    .optional()
    .describe("The name of the account's plan; absent for a sub-account, and where a service has no plans."),
  usage: z
    .object({
      inboxes: Use.describe("Inboxes, those of workspaces among them."),
      monthly_sends: Use.describe("Recipients of mail that left this month (UTC)."),
      workspaces: Use.describe("Its workspaces, each a sub-account."),
      custom_domains: Use.describe("Its domains, and those of its workspaces."),
      phone_numbers: Use.describe("Active phone numbers, those of workspaces among them."),
      voice_minutes: Use.describe(
        "Minutes of calls this month (UTC), each call rounded up; a call under way counts with its longest possible duration.",
      ),
      storage_mb: Use.describe("Megabytes (1024 × 1024 bytes) of mail and drafts, rounded up."),
    })
    .optional()
    .describe("What is used of the plan, sub-accounts included; present with `plan`."),
  notices: z
    .array(
      z.object({
        code: z
          .enum(["usage_high", "usage_full"])
          .describe("`usage_high` from 80 percent of a quota on, `usage_full` when it is used up."),
        resource: z.string().describe("The quota, by its name in `usage`."),
        used: z.int().describe("How much of the quota is used."),
        limit: z.int().describe("The quota."),
        message: z.string().describe("A sentence for people."),
      }),
    )
    .optional()
    .describe("Present from 80 percent of a quota on; without quotas never."),
  sending_health: z
    .object({
      state: z.enum(["warning", "paused"]).describe("Whether sending is paused now, or would be soon."),
      bounce_rate: z.number().describe("Bounced recipients of the last 7 days, as a share from 0 to 1."),
      complaint_rate: z.number().describe("Complaining recipients of the last 7 days, from 0 to 1."),
      message: z.string().describe("A sentence for people, with the counts and the bounds."),
    })
    .optional()
    .describe("Present once the bounce or complaint rate is at least half of the one that pauses sending."),
  unreachable_owners: z
    .array(
      z.object({
        owner_id: z.string().describe("The owner's id."),
        inbox_id: z.string().describe("The inbox that they own."),
        email: z.string().describe("Their address."),
        since: Timestamp.describe("Since when mail to them comes back (ISO 8601, UTC)."),
      }),
    )
    .optional()
    .describe("Owners whom mail doesn't reach: ask them for another address; absent when there are none."),
  whats_new: z
    .array(
      z.object({
        date: z.iso.date().describe("The day, as YYYY-MM-DD."),
        title: z.string().describe("What is new, in a sentence."),
      }),
    )
    .describe("The newest changes that users notice, newest first."),
  owner_recommended: z
    .string()
    .optional()
    .describe("How and why to add an owner; absent once an owner outside this service has confirmed."),
});
export type Me = z.infer<typeof Me>;
