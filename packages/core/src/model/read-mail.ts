import type { LetterKind } from "../catalogue/letter-frames.ts";
import type { TextKind } from "./attachments.ts";
import type { MailAddress, MailHeader, ParsedMail } from "./parsed-mail.ts";
import type { ContentFindings } from "./screening.ts";

/** A parsed mail with everything that can be derived from its content alone. */
export interface ReadMail extends ParsedMail {
  /** The new text. */
  extraction: Extraction;
  /** The findings of screening its content, or the error that ended it; null if screening was not requested. */
  screened: ContentFindings | { error: string } | null;
  /**
   * The Message-IDs anywhere in it, including its own, that may belong to our letters: in lower case, with angle
   * brackets, at most 100.
   */
  letter_ids: string[];
  /** Those of them that are the mail's own, or those of a mail nested in it. */
  own_letter_ids: string[];
  /** The same mail without the secrets of letters, and at most 100 of those; null when it has none. */
  struck: { mail: Omit<ReadMail, "struck">; secrets: string[] } | null;
  /** The result of a search for codes and letters; null if none was requested. */
  searched: SearchedMail | null;
}

/** The result of a search for codes and letters in a mail. */
export interface SearchedMail {
  /** The different numbers of six digits that its readers see, in any writing. */
  numbers: string[];
  /** Those in places where readers don't look. */
  hidden: string[];
  /** The kinds of letters whose fixed sentences it contains. */
  frames: LetterKind[];
  /**
   * The files that must be opened to be searched; `kind` is null where that is impossible. `bytes` are set for files
   * nested in another.
   */
  files: { path: string; kind: TextKind | null; bytes: Uint8Array | null }[];
  /** Whether all of it was searched in time. */
  whole: boolean;
}

/** The options for reading a mail. */
export interface ReadingOptions {
  /** Time limit for screening the content; null to skip it. */
  screeningTimeoutMs: number | null;
  /** The host that delivered it, so that one network's mail leaves room for others'. Default: the service itself. */
  clientIp?: string | null;
  /** Whether to search it for codes and letters too, because a valid code may be in it. Default: no. */
  searchLetters?: boolean;
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

/** The stored mail that a reply answers: whatever the reply repeats of it is a quote. */
export interface ParentText {
  /** All of its text. */
  text: string;
  /** Its new words, without its own quotes. */
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
 * The new text of a mail. `method` names the sign that was used, `confidence` is from 0 to 1, and `removed_chars`
 * counts characters of text.
 */
export interface Extraction {
  extracted_text: string;
  extracted_html: string | null;
  method: ExtractionMethod;
  confidence: number;
  removed_chars: number;
  /** Whether any of it is the author's own, not just a quote, a signature or a line added by the device. */
  own_words: boolean;
  /**
   * Whether some of it stood in the old text, told from it by the marks of its author alone, which whoever wrote the old
   * text may have imitated.
   */
  from_quote: boolean;
  /** The links in it, each address once, at most 50. */
  links: ShownLink[];
}

/** A link as its reader sees it, and where it leads. */
export interface ShownLink {
  text: string;
  /** The whole address, as a browser reads it. */
  url: string;
  host: string;
}

export type ExtractionMethod = HistoryMethod | "signature" | "forward";
