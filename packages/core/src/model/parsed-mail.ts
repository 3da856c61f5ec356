/**
 * One address of a mail header: `address` is lower-cased in its domain and empty when the header held only a
 * name.
 */
export interface MailAddress {
  address: string;
  name: string;
}

/**
 * One attachment as it came: decoded bytes, and the names that the mail gave it (cleaned of control
 * characters).
 */
export interface ParsedAttachment {
  filename: string;
  content_type: string;
  content_id: string | null;
  disposition: "inline" | "attachment";
  bytes: Uint8Array;
}

/** A header line: name in lower case, value unfolded and decoded (RFC 2047), in the order of the mail. */
export interface MailHeader {
  name: string;
  value: string;
}

/**
 * What the parser says about a raw mail (RFC 5322, RFC 2045 to 2047, RFC 2231). Text is never lost because
 * its charset or a header is odd; whatever was cut at a limit is named in `truncated`.
 */
export interface ParsedMail {
  headers: MailHeader[];
  /** Every address of every From header. More than one From header is a forgery mark: see `from_headers`. */
  from: MailAddress[];
  /** How many From header fields the mail has. Anything but 1 never authenticates. */
  from_headers: number;
  sender: MailAddress | null;
  reply_to: MailAddress[];
  to: MailAddress[];
  cc: MailAddress[];
  subject: string;
  /** With its angle brackets, or null when the mail has none. */
  message_id: string | null;
  in_reply_to: string | null;
  /** Message-IDs with angle brackets, oldest first. */
  references: string[];
  /** The Date header as ISO 8601 UTC, or null when it is missing or unreadable. */
  date: string | null;
  text: string;
  html: string | null;
  attachments: ParsedAttachment[];
  /**
   * Which parts were cut at a limit: "headers", "parts", "depth", "text", "html". Empty for an ordinary mail.
   */
  truncated: string[];
}
