import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { Timestamp } from "./fields.ts";

/** The writing style of letters to owners. */
export const EmailStyle = z.enum(["concise", "detailed", "casual"]);
export type EmailStyle = z.infer<typeof EmailStyle>;

/** A note on style: plain text, at most 280 characters. */
export const EmailStyleNote = z.string().max(LIMITS.email_style_note_chars);

/** How often an owner gets updates. */
export const Digest = z.enum(["immediate", "daily"]);

/** A person who may direct an inbox, as shown (interface, "Owner"). */
export const Owner = z.object({
  object: z.literal("owner").default("owner"),
  id: z.string(),
  inbox_id: z.string(),
  email: z.string(),
  status: z.enum(["pending", "verified"]),
  digest: Digest,
  email_style: EmailStyle.nullable(),
  email_style_note: z.string().nullable(),
  effective_email_style: z.object({
    style: EmailStyle,
    note: z.string().nullable(),
    source: z.enum(["owner_page", "owner", "account", "default"]),
  }),
  created_at: Timestamp,
  verified_at: Timestamp.nullable(),
  unsubscribed_at: Timestamp.nullable(),
});
export type Owner = z.infer<typeof Owner>;

/** An owner as stored; codes and tokens are hashes. */
export const OwnerRecord = Owner.omit({ object: true, effective_email_style: true }).extend({
  account_id: z.string(),
  /** The owner chose the style on their own page, so the API can't change it. */
  style_locked: z.boolean(),
  /** An encrypted hash, because six digits could be brute-forced offline. */
  code_hash: z.string().nullable(),
  code_expires_at: Timestamp.nullable(),
  code_tries: z.int(),
  link_hash: z.string().nullable(),
  link_expires_at: Timestamp.nullable(),
});
export type OwnerRecord = z.infer<typeof OwnerRecord>;

/** What an owner's confirmation page shows. */
export const OwnerConfirmation = z.object({
  object: z.literal("owner_confirmation").default("owner_confirmation"),
  id: z.string(),
  inbox_id: z.string(),
  inbox_email: z.string(),
  inbox_display_name: z.string().nullable(),
  email: z.string(),
  status: z.enum(["pending", "verified"]),
  verified_at: Timestamp.nullable(),
  account_id: z.string(),
  /** Who has charge of the account, and since when. */
  in_charge: z.array(z.object({ email: z.string(), since: Timestamp })),
  /** Nobody has charge yet, and this person is the first who was verified: they may take it. */
  may_take_charge: z.boolean(),
});
export type OwnerConfirmation = z.infer<typeof OwnerConfirmation>;

/** What an owner's unsubscribe page shows. */
export const OwnerSubscription = z.object({
  object: z.literal("owner_subscription").default("owner_subscription"),
  id: z.string(),
  inbox_email: z.string(),
  email: z.string(),
  unsubscribed_at: Timestamp.nullable(),
});

/** What an owner changes on their own page; only the given fields change. */
export const OwnerRequest = z.object({
  /** Null uses the style of the agent's account. */
  email_style: EmailStyle.nullable().optional(),
  email_style_note: EmailStyleNote.nullable().optional(),
  updates: z.enum(["immediate", "daily", "off"]).optional(),
});
export type OwnerRequest = z.infer<typeof OwnerRequest>;

/** What an owner's own style page shows. */
export const OwnerPreferences = z.object({
  object: z.literal("owner_preferences").default("owner_preferences"),
  id: z.string(),
  inbox_email: z.string(),
  inbox_display_name: z.string().nullable(),
  email: z.string(),
  email_style: EmailStyle.nullable(),
  email_style_note: z.string().nullable(),
  effective_email_style: Owner.shape.effective_email_style,
  /** Whether it was chosen on this page, so that the API can't change it. */
  style_locked: z.boolean(),
  updates: z.enum(["immediate", "daily", "off"]),
});
export type OwnerPreferences = z.infer<typeof OwnerPreferences>;
