import { z } from "zod";
import { LETTER_KINDS } from "../catalogue/letter-frames.ts";
import { Timestamp } from "./fields.ts";
import type { LetterSecretKind } from "./letter-secrets.ts";

/**
 * A letter of the service itself, registered when it is made, so that it is recognised if it comes back in a mail. What
 * it says stays elsewhere: its secrets as hashes in `letter_secrets`, its code where that is tried.
 */
export const LetterRecord = z.object({
  message_id: z.string().describe("Its Message-ID as its header has it, in lower case."),
  message_id_readable: z
    .boolean()
    .describe("Whether a key can read that Message-ID, because the letter is stored in an inbox."),
  kind: z
    .enum(LETTER_KINDS)
    .describe("The kind of the letter, which determines the sentences that it is recognised by."),
  account_id: z
    .string()
    .nullable()
    .describe(
      "The account that it belongs to; null for letters that let a person in, which are no account's.",
    ),
  inbox_id: z.string().nullable().describe("The inbox that sends it; null for letters from no-reply."),
  email: z.string().describe("The address that it went to, in its canonical form."),
  stored_message_id: z
    .string()
    .nullable()
    .describe("The stored message that is the agent's copy; null for letters from no-reply."),
  subject_id: z
    .string()
    .nullable()
    .describe(
      "The record that its code is checked against: the owner, or the attempt to sign in; null without a code.",
    ),
  created_at: Timestamp.describe("When it was made (ISO 8601, UTC)."),
  expires_at: Timestamp.describe("When it is forgotten: 90 days after it was made."),
});
export type LetterRecord = z.infer<typeof LetterRecord>;

/** Why a letter's link doesn't work, and which inbox wrote the letter. */
export interface DeadLink {
  kind: LetterSecretKind;
  /**
   * `expired`: its time is over. `replaced`: a newer letter's link works instead. `used`: it works once, and has.
   * `elsewhere`: it works in the browser that asked for it. `withdrawn`: the invitation was taken back. `not_owner`: its
   * reader is not an owner of the inbox any more. `ended`: what it was about is over, or somebody else's now.
   */
  why: "expired" | "replaced" | "used" | "elsewhere" | "withdrawn" | "not_owner" | "ended";
  sent_at: string;
  /** The inbox that wrote the letter; null for letters from no-reply, and once the inbox is gone. */
  inbox_email: string | null;
  inbox_display_name: string | null;
}

/** A mail that the service itself writes. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
}
