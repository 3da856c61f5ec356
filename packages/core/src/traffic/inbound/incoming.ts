import type { InboxRecord } from "../../model/inboxes.ts";
import type { ReadingOptions, ReadMail } from "../../model/read-mail.ts";
import type { Evidence } from "./evidence.ts";

/** A mail as it came, before anything of it is stored. */
export interface Incoming {
  mail: ReadMail;
  raw: Uint8Array;
  origin: Evidence["origin"];
  /** The proof of its author. */
  proof: Evidence["proof"];
  /** The inboxes that it is delivered to. */
  inboxes: readonly Pick<InboxRecord, "account_id" | "email">[];
  /** The letters to whose reply addresses it is delivered. */
  letters: readonly NonNullable<Evidence["letter"]>[];
  /** Whether a live code, or a link that acts alone, may be in a letter to somebody of their accounts. */
  letters_live: boolean;
  /** The reading options, to read it again if it turns out that it must be searched. */
  reading?: Omit<ReadingOptions, "screeningTimeoutMs" | "searchLetters">;
  /** Whether a signature with one of our own keys, over its Message-ID, is valid. */
  isSignedByUs?: () => Promise<boolean>;
}
