export { createPictureCodes, type ThreadedPictureCodes } from "./pictures/picture-reading.ts";
export { createReportReader, type ThreadedReportReader } from "./reports/report-reading.ts";
export {
  createTextExtraction,
  type TextExtractionOptions,
  type ThreadedTextExtraction,
} from "./text-extraction.ts";
