import { z } from "zod";
import { Permission } from "../catalogue/permissions.ts";
import { Budget, BudgetLeft } from "./budgets.ts";
import { Timestamp } from "./fields.ts";

/** An API key as shown, without its secret (interface, "API key"). */
export const Key = z.object({
  object: z.literal("api_key").default("api_key"),
  id: z.string().describe("The key's id."),
  name: z.string().describe("Its name, for people."),
  prefix: z.string().describe("The first characters of the secret, by which people tell keys apart."),
  inbox_id: z.string().nullable().describe("The only inbox that the key can use; null for all."),
  parent_key_id: z
    .string()
    .nullable()
    .default(null)
    .describe(
      "The key that created it; null when a person did, for the first of an account, and for older keys.",
    ),
  permissions: z.array(Permission).nullable().describe("What the key may do; null for everything."),
  budget: Budget.nullable().describe(
    "What it may send at most; null for no limit of its own. Those of the keys that it descends from count too.",
  ),
  created_at: Timestamp.describe("When it was created (ISO 8601, UTC)."),
  last_used_at: Timestamp.nullable().describe(
    "When it was last used, to within a minute; null before its first use.",
  ),
  expires_at: Timestamp.nullable().describe("When it stops working; null for never."),
  revoked_at: Timestamp.nullable().describe("When it was revoked; null while it works."),
});
export type Key = z.infer<typeof Key>;

/** A key as it is looked up alone, with what is left of its budget. */
export const KeyInFull = Key.extend({
  budget_left: BudgetLeft.nullable().describe(
    "Its budget and what is left of it today, also by those of the keys that it descends from; null for none.",
  ),
}).meta({ title: "ApiKeyInFull" });

/** A new key with its secret, which is shown only once. */
export const NewKey = Key.extend({
  api_key: z
    .string()
    .describe("The secret, to be sent as `Authorization: Bearer …`; it is shown only in this answer."),
  account_id: z.string().describe("The account that the key belongs to."),
}).meta({ title: "CreatedApiKey" });
export type NewKey = z.infer<typeof NewKey>;

/** An API key as stored, with only a SHA-256 of the secret. */
export const KeyRecord = Key.omit({ object: true }).extend({
  account_id: z.string().describe("The account that it belongs to."),
  hash: z.string().describe("SHA-256 of the secret, in hex."),
  parent_key_id: z.string().nullable().describe("The key that created it; null as above."),
  recovered_by: z
    .string()
    .nullable()
    .describe("The person who recovered it with a letter's link; null for all other keys."),
});
export type KeyRecord = z.infer<typeof KeyRecord>;
