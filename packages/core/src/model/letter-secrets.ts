import { z } from "zod";
import { Timestamp } from "./fields.ts";

/**
 * The access that a secret in a letter gives: `approve` and `answer` to the page of one question, `page` to the owner's
 * own preferences, `confirm` to a confirmation, `unsubscribe` to the action of the List-Unsubscribe header, `reply` to
 * the letter's reply address, `forward` to the page on which a code confirms a forwarding. `sign_in` and `recover` are checked against the records that they belong to, and are
 * stored here only to recognise their letter.
 */
export const LetterSecretKind = z.enum([
  "approve",
  "answer",
  "page",
  "confirm",
  "unsubscribe",
  "reply",
  "sign_in",
  "recover",
  "forward",
]);
export type LetterSecretKind = z.infer<typeof LetterSecretKind>;

/** A secret of one letter, as stored: only by its hash. */
export const LetterSecretRecord = z.object({
  hash: z.string().describe("SHA-256 of the secret in hex."),
  kind: LetterSecretKind.describe("What the secret gives access to."),
  account_id: z
    .string()
    .nullable()
    .describe(
      "The account that it belongs to; null for letters of sign-in and recovery, which belong to none.",
    ),
  inbox_id: z
    .string()
    .nullable()
    .describe("The inbox that sends the letter; null for letters that no inbox sends."),
  owner_id: z
    .string()
    .nullable()
    .describe("The owner record that it was written to; null for other people with authority."),
  email: z.string().describe("The address that the letter went to."),
  message_id: z.string().nullable().describe("The stored letter; null if it isn't stored."),
  letter_id: z
    .string()
    .nullable()
    .describe(
      "The registered letter, by its Message-ID; null if it was made before letters were registered.",
    ),
  subject_id: z.string().nullable().describe("The approval or update that it is about; null if about none."),
  created_at: Timestamp.describe("When the letter was written (ISO 8601, UTC)."),
  expires_at: Timestamp.nullable().describe(
    "When the secret stops working; null as long as the letter exists.",
  ),
  struck_at: Timestamp.nullable().describe(
    "When it was seen in inbound mail: from then on it no longer acts alone; null until then.",
  ),
});
export type LetterSecretRecord = z.infer<typeof LetterSecretRecord>;
