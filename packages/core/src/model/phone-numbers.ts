import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** A capability of a number. */
export const PhoneCapability = z.enum(["sms", "voice"]);

/** A phone number of an inbox, as shown. */
export const PhoneNumber = z.object({
  object: z.literal("phone_number").default("phone_number"),
  id: z.string().describe("The number's id."),
  e164: z.string().describe("The number, in E.164."),
  status: z
    .enum(["active", "released"])
    .describe("Whether the inbox has it (`active`) or it was given back (`released`)."),
  region: z
    .string()
    .nullable()
    .describe("The state, province or territory that it belongs to; null if the provider doesn't say."),
  capabilities: z.array(PhoneCapability).describe("What it can do: text messages, calls."),
  inbox_id: z.string().describe("The inbox that has it, or had it."),
  created_at: Timestamp.describe("When it was asked for (ISO 8601, UTC)."),
  released_at: Timestamp.nullable().describe("When it was given back; null while it is active."),
});
export type PhoneNumber = z.infer<typeof PhoneNumber>;

/** A number that can be bought. */
export const AvailablePhoneNumber = z.object({
  object: z.literal("available_phone_number").default("available_phone_number"),
  phone_number: z.string().describe("The number, in E.164."),
  region: PhoneNumber.shape.region,
  capabilities: PhoneNumber.shape.capabilities,
});
export type AvailablePhoneNumber = z.infer<typeof AvailablePhoneNumber>;

/**
 * A number as stored. It is `reserved` from before the purchase until the purchase is recorded, so that a crash in
 * between neither loses a number that is paid for nor buys two.
 */
export const PhoneNumberRecord = PhoneNumber.omit({ object: true, status: true }).extend({
  account_id: z.string().describe("The account that it belongs to."),
  status: z.enum(["reserved", "active", "released"]).describe("How far it is."),
  wanted: z.string().describe("What was asked for, by which a retry is recognised."),
  provider: z.string().describe("The provider that it was bought from."),
  provider_id: z.string().nullable().describe("The provider's id for it; null until it is bought."),
  held_inbox_id: z
    .string()
    .nullable()
    .describe("The inbox while it is reserved or active, so that an inbox has one at most; else null."),
  held_e164: z
    .string()
    .nullable()
    .describe("The number until the provider took it back, so that it is ours once at most; else null."),
});
export type PhoneNumberRecord = z.infer<typeof PhoneNumberRecord>;
