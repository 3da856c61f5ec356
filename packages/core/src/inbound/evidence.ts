import type { Work } from "../kernel/work.ts";
import type { SenderProof } from "../mail/sender/proof.ts";
import type { LetterSecretRecord } from "../model/letter-secrets.ts";
import type { Decisions, MessageAuth, MessageBodyRecord, MessageRecord } from "../model/messages.ts";
import type { ReadMail } from "../model/read-mail.ts";
import type { WebhookRecord } from "../model/webhooks.ts";
import type { StagedBlob } from "../ports/blobs.ts";
import type { Announcement } from "../ports/storage.ts";
import type { Author } from "./look-up-sender.ts";
import type { Origin } from "./rules.ts";
/** A mail that was read and authenticated. */
export interface Evidence {
  mail: ReadMail;
  raw: StagedBlob;
  size_bytes: number;
  mail_from: string;
  origin: Origin;
  authentication: MessageAuth & { passes: boolean; forwarded_by: string | null; reasons: string[] };
  received_at: Date;
  /** Old mail of another mailbox, brought in by the injector: nobody is to act on it. */
  imported?: boolean;
  client_id?: string | null;
  /** What shows who wrote it, read from the mail as it came; null when it was injected or sent inside. */
  proof: SenderProof | null;
  /** The letter to whose reply address it was delivered. */
  letter?: { record: LetterSecretRecord; address: string } | undefined;
  /** Secrets or links of a letter were taken out of the mail and of `raw`. */
  redacted: boolean;
  /** The stored mail that it answers, by which its new text was told from what it quotes. */
  compared_with?: Decisions["compared_with"];
  /** What announced the transaction that stores the mail. */
  announced?: Announcement | undefined;
  /** What else is stored with it, in the same transaction. */
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
