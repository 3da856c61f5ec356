export {
  type ContentScannerOptions,
  createContentScanner,
  type ThreadedContentScanner,
} from "./content-scanner.ts";
