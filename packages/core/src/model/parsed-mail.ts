/**
 * One address in a mail header: the domain of `address` is in lower case; of an author, `address` is empty if the
 * header had only a name.
 */
export interface MailAddress {
  address: string;
  name: string;
}

/** An entry of an address header that has no address: only a name, or something that merely resembles an address. */
export interface Unaddressed {
  field: "from" | "sender" | "reply_to" | "to" | "cc";
  name: string;
}

/** One attachment as received: decoded bytes, and names from the mail without control characters. */
export interface ParsedAttachment {
  filename: string;
  content_type: string;
  /** The parameters of the media type that are kept; absent without any. */
  parameters?: Record<string, string>;
  content_id: string | null;
  disposition: "inline" | "attachment";
  bytes: Uint8Array;
}

/** A header field: name in lower case, value unfolded and decoded (RFC 2047), in the order of the mail. */
export interface MailHeader {
  name: string;
  value: string;
}

/**
 * A parsed mail (RFC 5322, RFC 2045 to 2047, RFC 2231). Text is never lost because of an odd charset or
 * header; `truncated` names what was cut at a limit.
 */
export interface ParsedMail {
  headers: MailHeader[];
  /** Every address of every From header. Several From headers are a sign of forgery: see `from_headers`. */
  from: MailAddress[];
  /** The number of From headers. Anything but 1 never authenticates. */
  from_headers: number;
  sender: MailAddress | null;
  /** Like `to` and `cc`, only entries with an address. */
  reply_to: MailAddress[];
  to: MailAddress[];
  cc: MailAddress[];
  /** The entries of these headers that have no address; one of From is in `from` too, with an empty address. */
  unaddressed: Unaddressed[];
  subject: string;
  /** With angle brackets; null when the mail has none. */
  message_id: string | null;
  in_reply_to: string | null;
  /** Message-IDs with angle brackets, oldest first. */
  references: string[];
  /** The Date header as ISO 8601 UTC; null when missing or unreadable. */
  date: string | null;
  text: string;
  html: string | null;
  attachments: ParsedAttachment[];
  /** The bytes of all its parts, decoded, also of what was cut. */
  content_bytes: number;
  /** The parts that were cut at a limit: "headers", "parts", "depth", "text", "html". Empty for an ordinary mail. */
  truncated: string[];
  /** Some of the text stood in an S/MIME message whose signature wasn't checked. */
  unverified_signature: boolean;
}
