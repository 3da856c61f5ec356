import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** Why a forwarding ended. */
export const ForwardingFailure = z.enum([
  "expired",
  "rejected",
  "bounced",
  "authority_ended",
  "address_inside",
]);
export type ForwardingFailure = z.infer<typeof ForwardingFailure>;

/** An address that mail of an inbox is forwarded to, once its mailbox and a person in charge have agreed. */
export const Forwarding = z.object({
  object: z.literal("forwarding").default("forwarding"),
  id: z.string().describe("The forwarding's id."),
  inbox_id: z.string().describe("The inbox whose mail it is about."),
  email: z.string().describe("The address that mail is forwarded to."),
  everything: z
    .boolean()
    .describe("Whether all mail that comes is forwarded, and not only what rules choose with `forward_to`."),
  status: z
    .enum(["pending", "verified", "failed"])
    .describe(
      "`pending` until the code is entered and a person in charge agrees; only what is `verified` forwards; `failed` once it has ended.",
    ),
  failed_reason: ForwardingFailure.nullable().describe(
    "Why it ended: nobody confirmed or decided in time (`expired`), a person said no (`rejected`), mail came back for good (`bounced`), the person who agreed is in charge no more (`authority_ended`), or the address is one of this service now (`address_inside`); null unless it did.",
  ),
  approval_id: z
    .string()
    .nullable()
    .describe("The request that a person in charge decides; null until the code was entered."),
  hard_bounces: z.int().describe("How many forwarded mails came back for good; the third ends it."),
  created_at: Timestamp.describe("When it was last asked for (ISO 8601, UTC)."),
  expires_at: Timestamp.describe("When it ends unless it is verified: 72 hours after it was asked for."),
  verified_at: Timestamp.nullable().describe("When it was verified; null until then."),
});
export type Forwarding = z.infer<typeof Forwarding>;

/** A forwarding as stored. */
export const ForwardingRecord = Forwarding.omit({ object: true }).extend({
  failed_at: Timestamp.nullable().describe("When it ended; null unless it did."),
  account_id: z.string().describe("The account that it belongs to."),
  given_email: z
    .string()
    .nullable()
    .describe("The address as it was given, to write to; null when it is `email`."),
  asked_by: z
    .object({ key_id: z.string().nullable(), client_id: z.string().nullable() })
    .nullable()
    .describe("The key or app that asked for it; null for people."),
  asked_by_person: z
    .string()
    .nullable()
    .describe("The person with authority who asked for it in their session; null for others."),
  decided_by: z.string().nullable().describe("The person who agreed; null until then."),
  confirmed_at: Timestamp.nullable().describe("When the code was entered; null until then."),
  code_hash: z
    .string()
    .nullable()
    .describe(
      "An encrypted hash of the code, because six digits could be brute-forced offline; null without one.",
    ),
  code_tries: z.int().describe("How many codes were tried that are wrong."),
  link_hash: z
    .string()
    .nullable()
    .describe("The hash of the token of the newest letter's link; null without one."),
});
export type ForwardingRecord = z.infer<typeof ForwardingRecord>;

/** The content of a forwarding's page, for the reader of the letter. */
export const ForwardingConfirmation = z.object({
  object: z.literal("forwarding_confirmation").default("forwarding_confirmation"),
  email: z.string().describe("The address that mail would be forwarded to."),
  everything: z.boolean().describe("Whether all mail would be forwarded, and not only what rules choose."),
  status: Forwarding.shape.status.describe("Where the forwarding stands."),
  confirmed: z.boolean().describe("Whether the code was entered."),
  inbox_email: z.string().describe("The address of the inbox."),
  inbox_display_name: z.string().nullable().describe("The agent's name; null without one."),
});
export type ForwardingConfirmation = z.infer<typeof ForwardingConfirmation>;
