import type { MailAddress, MailHeader, ParsedMail } from "./parsed-mail.ts";
import type { ContentFindings } from "./screening.ts";
/** A mail with all that it says by itself, whoever sent it. */
export interface ReadMail extends ParsedMail {
  /** What is new in it. */
  extraction: Extraction;
  /** What screening found in its content, or the error that ended it; null where nobody wanted to know. */
  screened: ContentFindings | { error: string } | null;
}

/** How to read a mail. */
export interface ReadingOptions {
  /** How long screening may look at the content; null when it needn't. */
  screening_timeout_ms: number | null;
  /** What a caller states in place of what the mail says, before its content is looked at. */
  stated?: StatedFields;
}

/** The author and further headers that the test injector's caller states. */
export interface StatedFields {
  from: MailAddress["address"];
  headers: readonly MailHeader[];
}

export type HistoryMethod =
  | "whole"
  | "reply_header"
  | "header_block"
  | "marker"
  | "client_markup"
  | "quote"
  | "inline_reply"
  | "only_quote";

/**
 * What is new in a mail. `method` names the sign that was followed; `confidence` is 0 to 1; `removed_chars`
 * counts text.
 */
export interface Extraction {
  extracted_text: string;
  extracted_html: string | null;
  method: ExtractionMethod;
  confidence: number;
  removed_chars: number;
}

export type ExtractionMethod = HistoryMethod | "signature" | "forward";
