export {
  createTextExtraction,
  type TextExtractionOptions,
  type ThreadedTextExtraction,
} from "./text-extraction.ts";
