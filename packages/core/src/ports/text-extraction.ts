import type { ExtractedText, TextKind } from "../model/attachments.ts";

/**
 * Reads the text of files that strangers made, within the limits of the interface ("Attachment text"),
 * without holding up anything else. `kind` is what the file says of itself; the bytes may say otherwise.
 * Fails with `attachment_too_large` beyond a limit and with `text_extraction_failed` for what can't be read:
 * these hold for good and are stored. Any other failure is of the moment.
 */
export interface TextExtraction {
  extract(file: { bytes: Uint8Array; kind: TextKind }): Promise<ExtractedText>;
}
