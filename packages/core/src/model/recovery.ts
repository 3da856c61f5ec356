import { z } from "zod";
import { GrantRecord } from "./apps.ts";
import { Timestamp } from "./fields.ts";
import { Key, NewKey } from "./keys.ts";
import { SessionRecord } from "./people.ts";

/** A person's request to recover a key, as stored: of its letter's link, only the hash. */
export const RecoveryRecord = z.object({
  id: z.string().describe("The recovery's id."),
  email: z.string().describe("The address that the link is for."),
  link_hash: z
    .string()
    .nullable()
    .describe(
      "SHA-256 of the link's token; null until the letter is written, and when nobody is to get one.",
    ),
  created_at: Timestamp.describe("When it was asked for (ISO 8601, UTC)."),
  expires_at: Timestamp.describe("When the link stops working."),
});
export type RecoveryRecord = z.infer<typeof RecoveryRecord>;

/** The answer to every request to recover a key, whoever the address belongs to. */
export const Recovery = z.object({
  object: z.literal("recovery").default("recovery"),
  expires_at: Timestamp.describe(
    "When the link of the letter stops working: 30 minutes after it was asked for.",
  ),
});
export type Recovery = z.infer<typeof Recovery>;

const ListedKey = Key.pick({
  id: true,
  name: true,
  prefix: true,
  inbox_id: true,
  created_at: true,
  last_used_at: true,
});

/** The content of a recovery link's page: what a key can be recovered for, and what could be revoked. */
export const RecoveryReview = z.object({
  object: z.literal("recovery_review").default("recovery_review"),
  email: z.string().describe("The person who was mailed the link, and who must be signed in to use it."),
  expires_at: Timestamp.describe("When the link stops working."),
  choices: z
    .array(
      z.object({
        authority_id: z.string().describe("The authority that the key would be recovered by."),
        account_id: z.string().describe("The account that the key would belong to."),
        inbox_id: z
          .string()
          .nullable()
          .describe("The only inbox that the key could use; null for the whole account."),
        account_name: z
          .string()
          .describe("The account as people know it: its first inboxes, and how many more it has."),
        inbox_email: z.string().nullable().describe("That inbox's address; null for the whole account."),
        keys: z.array(ListedKey).describe("The other keys that work there, newest first, at most 100."),
        more_keys: z.boolean().describe("Whether there are more keys than these."),
        apps: z
          .array(GrantRecord.pick({ id: true, client_name: true, inbox_id: true, connected_at: true }))
          .describe("The apps that people let in there, newest first, at most 100."),
        more_apps: z.boolean().describe("Whether there are more apps than these."),
        workspaces: z.int().describe("How many workspaces' keys and apps would go too."),
      }),
    )
    .describe("What the person has authority over, with what they could revoke there."),
  sessions: z
    .array(SessionRecord.pick({ id: true, user_agent: true, created_at: true, last_seen_at: true }))
    .describe("Where the person is signed in, newest first."),
});
export type RecoveryReview = z.infer<typeof RecoveryReview>;

/** A recovered key with its secret, which is shown only once. */
export const RecoveredKey = NewKey.extend({
  keys_revoked: z.int().describe("How many other keys were revoked with it."),
  apps_revoked: z.int().describe("How many apps lost their access with it."),
  sessions_ended: z.int().describe("How many other sessions of the person were ended with it."),
}).meta({ title: "RecoveredApiKey" });
export type RecoveredKey = z.infer<typeof RecoveredKey>;
