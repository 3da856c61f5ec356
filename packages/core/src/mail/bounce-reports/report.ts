/** A report's statement about one recipient. */
export interface ReportedRecipient {
  /** The address known to the reporting server, in lower case. */
  address: string;
  /** The address that the sender used, if the report names it (RFC 3464, section 2.3.1). */
  original: string | null;
  /**
   * `hard`: the address will never accept mail. `soft`: this mail failed. `delayed`: delivery is still being
   * tried.
   */
  outcome: "hard" | "soft" | "delayed" | "delivered";
  /** The enhanced status code (RFC 3463), or null. */
  status: string | null;
  /** The reason in one word; see `classify.ts`. */
  reason: string;
  /** The other server's words, truncated. */
  detail: string;
}

/** Another server's or provider's report about a mail that was sent. */
export type MailReport =
  | ({ type: "delivery"; recipients: ReportedRecipient[] } & ReturnedMail)
  | ({ type: "complaint"; feedback_type: string; recipients: string[] } & ReturnedMail);

/** The identification of the returned mail in a report; null where the report has none. */
export interface ReturnedMail {
  /** With angle brackets. */
  original_message_id: string | null;
  /** The value of the header `X-Svc-Report`, which the service adds to its mail. */
  report_header: string | null;
}

/**
 * Recipients read per report: twice as many as a message can have, because each may be renamed in transit.
 */
export const MAX_REPORTED = 100;
/** Characters kept of the other server's words. */
export const MAX_DETAIL_CHARS = 500;
