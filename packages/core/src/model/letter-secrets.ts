import { z } from "zod";
import { Timestamp } from "./fields.ts";

/**
 * What a secret in a letter gives access to: `approve` and `answer` the page of one question, `page` the owner's
 * own preferences, `confirm` a confirmation, `unsubscribe` what the List-Unsubscribe header does, `reply` the
 * letter's reply address.
 */
export const LetterSecretKind = z.enum(["approve", "answer", "page", "confirm", "unsubscribe", "reply"]);
export type LetterSecretKind = z.infer<typeof LetterSecretKind>;

/** A secret of one letter, as stored: only its hash is. */
export const LetterSecretRecord = z.object({
  /** SHA-256 of the secret in hex. */
  hash: z.string(),
  kind: LetterSecretKind,
  account_id: z.string(),
  /** Null for letters that no inbox sends. */
  inbox_id: z.string().nullable(),
  /** The owner record that it was written to; null for other people with authority. */
  owner_id: z.string().nullable(),
  /** The address that the letter went to. */
  email: z.string(),
  /** The stored letter. */
  message_id: z.string().nullable(),
  /** The approval or update that it is about. */
  subject_id: z.string().nullable(),
  created_at: Timestamp,
  /** Null: as long as the letter exists. */
  expires_at: Timestamp.nullable(),
  /** When it was seen in inbound mail: from then on it no longer acts alone. */
  struck_at: Timestamp.nullable(),
});
export type LetterSecretRecord = z.infer<typeof LetterSecretRecord>;
