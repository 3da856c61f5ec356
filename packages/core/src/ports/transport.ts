/** A composed outgoing mail. `raw` is a complete RFC 5322 message with CRLF line ends. */
export interface OutgoingMail {
  message_id: string;
  from: string;
  envelope: { mail_from: string; rcpt_to: string[] };
  raw: Uint8Array;
  /** A letter of the service itself: it leaves, even to a custom domain whose mail this service delivers. */
  letter?: boolean;
}

/** The result for one recipient; `detail` is the other server's response, at most 500 characters. */
export interface RecipientResult {
  recipient: string;
  outcome: "accepted" | "temporary_failure" | "permanent_failure";
  detail: string;
}

/** Sends mail. Returns a result per recipient; never throws for a refusal or a broken connection. */
export interface Transport {
  /** A short name that messages have as `provider`, such as `smtp` or `capture`. */
  name: string;
  send(mail: OutgoingMail): Promise<RecipientResult[]>;
  close(): Promise<void>;
}
