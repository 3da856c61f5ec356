/** The text of attachments for Letterslot, read in threads that can be ended. */
export {
  createTextExtraction,
  type TextExtractionOptions,
  type ThreadedTextExtraction,
} from "./text-extraction.ts";
