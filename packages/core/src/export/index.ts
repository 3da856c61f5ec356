export { type Archive, ArchiveError, type ArchiveFile, type ReadFile } from "./archive.ts";
export { dropExpiredExports } from "./drop-exports.ts";
export { type ExportProgress, exportAccount } from "./export-account.ts";
export { type Imported, type ImportOptions, importAccount } from "./import-account.ts";
export { makeExport } from "./make-export.ts";
export { mboxEntry } from "./mbox.ts";
export { type AccountArchive, openArchive } from "./read-archive.ts";
export { type ZipOptions, type ZippedFile, zipOf } from "./zip.ts";
