export { type Archive, ArchiveError, type ArchiveFile, type ReadFile } from "./archive.ts";
export { type ExportProgress, exportAccount } from "./export-account.ts";
export { type Imported, type ImportOptions, importAccount } from "./import/import-account.ts";
export { type AccountArchive, openArchive } from "./import/read-archive.ts";
export { dropExpiredExports, makeExport } from "./make-export.ts";
export { mboxEntry } from "./mbox.ts";
export { type ZipOptions, type ZippedFile, zipOf } from "./zip.ts";
