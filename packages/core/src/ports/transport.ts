/** A composed mail on its way out. `raw` is a whole RFC 5322 message with CRLF line ends. */
export interface OutgoingMail {
  message_id: string;
  from: string;
  envelope: { mail_from: string; rcpt_to: string[] };
  raw: Uint8Array;
}

/** What became of one recipient; `detail` holds the other side's words, at most 500 characters. */
export interface RecipientResult {
  recipient: string;
  outcome: "accepted" | "temporary_failure" | "permanent_failure";
  detail: string;
}

/**
 * Hands mail to the world. Answers for each recipient; never throws for what the other side said or for a
 * broken connection.
 */
export interface Transport {
  /** A short name that messages carry as `provider`, such as `smtp` or `capture`. */
  name: string;
  send(mail: OutgoingMail): Promise<RecipientResult[]>;
  close(): Promise<void>;
}
