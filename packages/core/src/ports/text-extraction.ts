import type { ExtractedText, TextKind } from "../model/attachments.ts";

/**
 * Extracts text from files made by strangers, within the limits of the interface ("Attachment text"), without
 * blocking anything else. `kind` is the declared type; the bytes may differ. `charset` is the declared one of text. Fails with
 * `attachment_too_large` beyond a limit and `text_extraction_failed` for an unreadable file: these are
 * permanent and are stored. Any other failure is temporary.
 */
export interface TextExtraction {
  extract(file: { bytes: Uint8Array; kind: TextKind; charset?: string | undefined }): Promise<ExtractedText>;
}
