import type { TextKind } from "../attachments/schema.ts";

/**
 * The text of a file. `truncated`: it goes on beyond `limits.attachment_text_chars`. A file without any text
 * has the empty string.
 */
export interface ExtractedText {
  text: string;
  truncated: boolean;
}

/**
 * Reads the text of files that strangers made, within the limits of the interface ("Attachment text"),
 * without holding up anything else. `kind` is what the file says of itself; the bytes may say otherwise.
 * Fails with `attachment_too_large` beyond a limit and with `text_extraction_failed` for what can't be read:
 * these hold for good and are stored. Any other failure is of the moment.
 */
export interface TextExtraction {
  extract(file: { bytes: Uint8Array; kind: TextKind }): Promise<ExtractedText>;
}
