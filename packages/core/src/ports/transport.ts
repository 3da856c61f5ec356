/** A composed outgoing mail. `raw` is a complete RFC 5322 message with CRLF line ends. */
export interface OutgoingMail {
  message_id: string;
  from: string;
  envelope: { mail_from: string; rcpt_to: string[] };
  raw: Uint8Array;
  /** Header lines, each with its line end, for mail that leaves this service alone: no inbox of it may see them. */
  outside_header?: string;
  /** A letter of the service itself: it leaves, even to a custom domain whose mail this service delivers. */
  letter?: boolean;
  /** The inbox that wrote it; absent on what the service itself wrote. */
  sent_by?: { inbox_id: string; account_id: string } | undefined;
}

/** The result for one recipient; `detail` is the other server's response, at most 500 characters. */
export interface RecipientResult {
  recipient: string;
  outcome: "accepted" | "temporary_failure" | "permanent_failure";
  detail: string;
  /** The id under which a relay took the mail, which may stand in the Message-ID that it leaves with instead of ours. */
  provider_id?: string;
  /** The recipient's own mail host said so, in the dialogue; absent where a relay did, or nobody was reached. */
  said_by?: "recipient_host";
}

/** Sends mail. Returns a result per recipient; never throws for a refusal or a broken connection. */
export interface Transport {
  /** A short name that messages have as `provider`, such as `smtp` or `capture`. */
  name: string;
  send(mail: OutgoingMail): Promise<RecipientResult[]>;
  close(): Promise<void>;
}

/** The transport of a service that was given none: mail reaches the service's own inboxes alone. */
export const noTransport: Transport = {
  name: "none",
  send: async ({ envelope }) =>
    envelope.rcpt_to.map((recipient) => ({
      recipient,
      outcome: "permanent_failure",
      detail: "This service has no transport: it sends to its own inboxes alone.",
    })),
  close: async () => undefined,
};
