/** What a report says of one recipient. */
export interface ReportedRecipient {
  /** The address as the reporting server knows it, in lower case. */
  address: string;
  /** The address as it was written by the sender, where the report names it (RFC 3464, section 2.3.1). */
  original: string | null;
  /**
   * `hard`: nothing will ever arrive there. `soft`: this mail did not. `delayed`: it is still being tried.
   */
  outcome: "hard" | "soft" | "delayed" | "delivered";
  /** The enhanced status code (RFC 3463), or null. */
  status: string | null;
  /** Why, in a word of ours; see `classify.ts`. */
  reason: string;
  /** The other side's words, cut. */
  detail: string;
}

/** What another server or provider says became of a mail that was sent. */
export type MailReport =
  | { type: "delivery"; recipients: ReportedRecipient[]; original_message_id: string | null }
  | { type: "complaint"; feedback_type: string; recipients: string[]; original_message_id: string | null };

/**
 * Recipients read of one report: twice as many as a message can have, since each may be named anew on its
 * way.
 */
export const MAX_REPORTED = 100;
/** Characters kept of what the other side said. */
export const MAX_DETAIL_CHARS = 500;
