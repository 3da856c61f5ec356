import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { Timestamp } from "./fields.ts";

/** The writing style of letters to owners. */
export const EmailStyle = z.enum(["concise", "detailed", "casual"]);
export type EmailStyle = z.infer<typeof EmailStyle>;

/** A note on style: plain text, at most 280 characters. */
export const EmailStyleNote = z.string().max(LIMITS.email_style_note_chars);

/** The frequency of an owner's updates. */
export const Digest = z.enum(["immediate", "daily"]);

/** A person who may direct an inbox, as shown (interface, "Owner"). */
export const Owner = z.object({
  object: z.literal("owner").default("owner"),
  id: z.string().describe("The owner's id."),
  inbox_id: z.string().describe("The inbox that they own."),
  email: z.string().describe("Their address."),
  status: z.enum(["pending", "verified"]).describe("`pending` until they confirm their address."),
  digest: Digest.describe("Whether updates reach them at once or in a daily digest at 13:00 UTC."),
  email_style: EmailStyle.nullable().describe("The style of emails to them; null for the account's."),
  email_style_note: z.string().nullable().describe("A wish about the style; null without one."),
  effective_email_style: z
    .object({
      style: EmailStyle.describe("The style in use."),
      note: z.string().nullable().describe("The wish about the style that applies; null without one."),
      source: z
        .enum(["owner_page", "owner", "account", "default"])
        .describe(
          "Who chose the style: the owner on their own page, the owner's record, the account, or the default.",
        ),
    })
    .meta({ title: "EffectiveEmailStyle", description: "The style that is used for them." }),
  created_at: Timestamp.describe("When they were invited (ISO 8601, UTC)."),
  verified_at: Timestamp.nullable().describe("When they confirmed their address; null until then."),
  unsubscribed_at: Timestamp.nullable().describe("When they turned updates off; null if they get them."),
  unreachable_since: Timestamp.nullable().describe(
    "Since when mail to them bounces, three times or more: updates are collected in rare digests, other letters leave at once; null if it doesn't.",
  ),
});
export type Owner = z.infer<typeof Owner>;

/** An owner as stored; codes and tokens are hashes. `email` is in its canonical form, by which it is compared. */
export const OwnerRecord = Owner.omit({ object: true, effective_email_style: true }).extend({
  account_id: z.string().describe("The account that it belongs to."),
  given_email: z
    .string()
    .nullable()
    .describe("The address as it was given, to show and to write to; null when it is `email`."),
  style_locked: z
    .boolean()
    .describe("Whether the owner chose the style on their own page, so that the API can't change it."),
  hard_bounces: z.int().describe("How often mail to them came back for good, since they were last heard of."),
  code_hash: z
    .string()
    .nullable()
    .describe(
      "An encrypted hash of the code, because six digits could be brute-forced offline; null without one.",
    ),
  code_expires_at: Timestamp.nullable().describe("When the code stops working; null without one."),
  code_tries: z.int().describe("How often a wrong code was entered."),
  code_voided_at: Timestamp.nullable().describe(
    "When the code was made void because its letter came to an inbox of this service; null unless it was.",
  ),
  link_hash: z
    .string()
    .nullable()
    .describe("SHA-256 of the token of the confirmation link; null without one."),
  link_expires_at: Timestamp.nullable().describe("When the link stops working; null without one."),
});
export type OwnerRecord = z.infer<typeof OwnerRecord>;

/** An owner's address as it is shown and written to. */
export const addressToOwner = ({ email, given_email }: Pick<OwnerRecord, "email" | "given_email">): string =>
  given_email ?? email;

/** The content of an owner's confirmation page. */
export const OwnerConfirmation = z.object({
  object: z.literal("owner_confirmation").default("owner_confirmation"),
  id: z.string().describe("The owner's id."),
  inbox_id: z.string().describe("The inbox that they own."),
  inbox_email: z.string().describe("The agent's address."),
  inbox_display_name: z.string().nullable().describe("The agent's name; null without one."),
  email: z.string().describe("The owner's address."),
  status: z.enum(["pending", "verified"]).describe("`pending` until they confirm their address."),
  verified_at: Timestamp.nullable().describe("When they confirmed their address; null until then."),
  account_id: z.string().describe("The account that the inbox belongs to."),
  in_charge: z
    .array(
      z.object({
        email: z.string().describe("The person's address."),
        since: Timestamp.describe("Since when."),
      }),
    )
    .describe("Who has charge of the account."),
  may_take_charge: z
    .boolean()
    .describe(
      "Whether nobody has charge yet and this person was the first to be verified: they may take it.",
    ),
});
export type OwnerConfirmation = z.infer<typeof OwnerConfirmation>;

/** The content of an owner's unsubscribe page. */
export const OwnerSubscription = z.object({
  object: z.literal("owner_subscription").default("owner_subscription"),
  id: z.string().describe("The owner's id."),
  inbox_email: z.string().describe("The agent's address."),
  email: z.string().describe("The owner's address."),
  unsubscribed_at: Timestamp.nullable().describe("When they turned updates off; null if they get them."),
});
export type OwnerSubscription = z.infer<typeof OwnerSubscription>;

/** The changes that an owner makes on their own page; only the given fields change. */
export const OwnerRequest = z.object({
  email_style: EmailStyle.nullable()
    .optional()
    .describe("The style of emails to this owner; null for the style of the agent's account."),
  email_style_note: EmailStyleNote.nullable()
    .optional()
    .describe(`A wish about the style, at most ${LIMITS.email_style_note_chars} characters; null for none.`),
  updates: z
    .enum(["immediate", "daily", "off"])
    .optional()
    .describe("Whether updates come at once, in a daily digest at 13:00 UTC, or not at all."),
});
export type OwnerRequest = z.infer<typeof OwnerRequest>;

/** The content of an owner's own style page. */
export const OwnerPreferences = z.object({
  object: z.literal("owner_preferences").default("owner_preferences"),
  id: z.string().describe("The owner's id."),
  inbox_email: z.string().describe("The agent's address."),
  inbox_display_name: z.string().nullable().describe("The agent's name; null without one."),
  email: z.string().describe("The owner's address."),
  email_style: EmailStyle.nullable().describe("The style that the owner chose; null for the account's."),
  email_style_note: z.string().nullable().describe("The owner's wish about the style; null without one."),
  effective_email_style: Owner.shape.effective_email_style.describe("The style that is used for them."),
  style_locked: z.boolean().describe("Whether it was chosen by the owner, so that the API can't change it."),
  updates: z
    .enum(["immediate", "daily", "off"])
    .describe("Whether updates come at once, in a daily digest, or not at all."),
});
export type OwnerPreferences = z.infer<typeof OwnerPreferences>;
