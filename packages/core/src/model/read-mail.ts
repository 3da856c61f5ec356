import type { MailAddress, MailHeader, ParsedMail } from "./parsed-mail.ts";
import type { ContentFindings } from "./screening.ts";
/** A parsed mail with everything that its content alone tells. */
export interface ReadMail extends ParsedMail {
  /** The new text. */
  extraction: Extraction;
  /** What screening found in its content, or the error that ended it; null if screening was not requested. */
  screened: ContentFindings | { error: string } | null;
  /** The same mail without the secrets of letters, and at most 100 of those; null when it has none. */
  struck: { mail: Omit<ReadMail, "struck">; secrets: string[] } | null;
}

/** How to read a mail. */
export interface ReadingOptions {
  /** Time limit for screening the content; null to skip it. */
  screening_timeout_ms: number | null;
  /** Who delivered it, so that one network's mail leaves room for others'. Default: the service itself. */
  client_ip?: string | null;
  /** Fields that override the mail's own before its content is examined. */
  stated?: StatedFields;
}

/** The author, extra headers and bodies given by a caller of the test injector. */
export interface StatedFields {
  /** By default the mail's own author. */
  from?: MailAddress;
  headers: readonly MailHeader[];
  text?: string;
  html?: string;
}

/** The mail that a reply answers, as it is stored: what the reply repeats of it is a quote. */
export interface ParentText {
  /** All of its text. */
  text: string;
  /** Its new words, without what it quotes itself. */
  new_text: string;
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
 * The new text of a mail. `method` names the sign that was used, `confidence` is from 0 to 1, and
 * `removed_chars` counts characters of text.
 */
export interface Extraction {
  extracted_text: string;
  extracted_html: string | null;
  method: ExtractionMethod;
  confidence: number;
  removed_chars: number;
  /** Whether any of it is the author's own: not only a quote, a signature or a line of the device. */
  own_words: boolean;
}

export type ExtractionMethod = HistoryMethod | "signature" | "forward";
