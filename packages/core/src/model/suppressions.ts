import { z } from "zod";
import { Timestamp } from "./fields.ts";

/**
 * An address that the account's inboxes don't write to, because it bounced hard, its owner complained, or a caller said
 * so. Or a phone number that one inbox doesn't text, because its owner answered STOP.
 */
export const Suppression = z.object({
  object: z.literal("suppression").default("suppression"),
  id: z.string().describe("The suppression's id."),
  address: z
    .string()
    .describe("The address that nothing is sent to, in lower case; or a phone number, in E.164."),
  reason: z
    .enum(["bounce", "complaint", "manual", "stop"])
    .describe("Why: it bounced for good, its owner complained, a caller said so, or its owner texted STOP."),
  made_by: z
    .enum(["bounce", "key", "complaint", "person"])
    .describe(
      "Who made it, which determines who can lift it: a bounce (a key, once in 30 days), a key (any key), a complaint or a person (that person, or somebody in charge).",
    ),
  inbox_id: z
    .string()
    .nullable()
    .describe("The inbox that it holds for, where it is a phone number; null where it holds for all."),
  source_message_id: z
    .string()
    .nullable()
    .describe("The message that bounced or drew the complaint, or that said STOP; null for `manual`."),
  created_at: Timestamp.describe("When it was added (ISO 8601, UTC)."),
});
export type Suppression = z.infer<typeof Suppression>;

/** A suppression as stored. */
export const SuppressionRecord = Suppression.omit({ object: true, inbox_id: true }).extend({
  account_id: z.string().describe("The account that it belongs to."),
  inbox_id: z
    .string()
    .nullable()
    .describe("The inbox of the source message: a key limited to it sees the suppression; null without one."),
  only_inbox_id: z.string().describe("The inbox that it holds for; empty where it holds for the account."),
});
export type SuppressionRecord = z.infer<typeof SuppressionRecord>;

/** Infers the maker of a suppression from its reason, where no record says more. */
export function makerOf(reason: SuppressionRecord["reason"]): SuppressionRecord["made_by"] {
  if (reason === "manual") return "key";
  return reason === "stop" ? "person" : reason;
}
