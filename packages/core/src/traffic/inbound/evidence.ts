import type { Work } from "../../kernel/work.ts";
import type { KnownLetter } from "../../mail/redaction/stub.ts";
import type { Proof } from "../../mail/sender/proof.ts";
import type { LetterSecretRecord } from "../../model/letter-secrets.ts";
import type { Decisions, MessageAuth } from "../../model/message-facts.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import type { ReadMail } from "../../model/read-mail.ts";
import type { WebhookRecord } from "../../model/webhooks.ts";
import type { StagedBlob } from "../../ports/blobs.ts";
import type { SentReport } from "../bounces/record-report.ts";
import type { Origin } from "./rules.ts";
import type { Author } from "./sender/look-up-sender.ts";

/** A received mail with its envelope. */
export interface ReceivedMail {
  raw: Uint8Array;
  envelope: { mail_from: string; rcpt_to: readonly string[]; client_ip: string | null; helo: string | null };
  origin: Exclude<Origin, "injected" | "phone" | "console">;
  /** The inbox of this service that sent it within the service; absent on what the service itself wrote. */
  sent_by?: { inbox_id: string; account_id: string; address: string } | undefined;
}

/** A mail that was read and authenticated. */
export interface Evidence {
  mail: ReadMail;
  raw: StagedBlob;
  size_bytes: number;
  mail_from: string;
  origin: Origin;
  authentication: MessageAuth & { passes: boolean; forwarded_by: string | null; reasons: string[] };
  received_at: Date;
  /** The address of the inbox that it was delivered to; the inbox's own where a letter's reply address was. */
  came_to?: string | undefined;
  /** Old mail of another mailbox, brought in by the injector: nobody is to act on it. */
  imported?: boolean;
  client_id?: string | null;
  /** The proof of its author, established from the mail as it came. */
  proof: Proof;
  /** The letter to whose reply address it was delivered. */
  letter?: { record: LetterSecretRecord; address: string } | undefined;
  /** The report that it is, from another server or provider, read from the mail as it came. */
  report?: SentReport | undefined;
  /** Secrets or links of a letter were removed from the mail and from `raw`. */
  redacted: boolean;
  /** The letter that the mail itself is; it is then stored as a stub of that letter. */
  stub?: KnownLetter | undefined;
  /** The stored mail that it answers; its new text was told from the quote by comparison with that. */
  compared_with?: Decisions["compared_with"];
  /** Further writes in the transaction that stores the mail. */
  also?: (work: Work, message: MessageRecord, body: MessageBodyRecord) => Promise<void>;
}

/** The outcome of storing a mail; the inbox may have been paused or deleted while the mail was being read. */
export type StoreOutcome =
  | { outcome: "stored" | "duplicate"; reason: null; message_id: string }
  | {
      outcome: "dropped" | "refused";
      reason: "inbox_paused" | "inbox_expired" | "unknown_recipient";
      message_id: null;
    };

/** Records that were read while the mail was admitted. */
export interface Surroundings {
  author: Author;
  webhooks: readonly WebhookRecord[];
}
