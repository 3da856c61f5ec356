/** A text of a mail that is about to leave, such as its subject, a body or the text of an attachment. */
export interface ContentPart {
  /** How the caller tells it from others. */
  name: string;
  text: string;
}

/** Something in a text that should perhaps not leave: where it is and of what kind, never the value itself. */
export interface ContentFinding {
  code: "secret" | "personal_data";
  /** What it is, such as `github_token`, `private_key`, `iban`, `payment_card` or `us_ssn`. */
  kind: string;
  /** The name of the part. */
  part: string;
  /** Its first character in the part, and the one after its last, in UTF-16 units. */
  start: number;
  end: number;
  /** The same for the same value however it is written, by which a value can be remembered; it can't be tried out. */
  fingerprint: string;
}

/** The findings of a scan, and the names of the parts that it could not clear. */
export interface ContentScan {
  findings: ContentFinding[];
  unscanned: string[];
}

/**
 * Finds secrets and personal data in the texts of a mail, within limits of its own (`LIMITS.content_scan_…`) and without
 * blocking anything else.
 */
export interface ContentScanner {
  /**
   * Scans all parts within a second. A part that is beyond a limit, or for which the time was too short, is
   * `unscanned`; the others are scanned nevertheless. Findings are in the order of the parts and of their text, at
   * most 100. Rejects with the signal's reason once it is aborted.
   */
  scan(parts: readonly ContentPart[], signal?: AbortSignal): Promise<ContentScan>;
}
