/** A file of an archive that is being written. Its content is made while it is read, once. */
export interface ArchiveFile {
  name: string;
  content: AsyncIterable<Uint8Array>;
}

/** A file of an archive that is being read. */
export interface ReadFile {
  name: string;
  /** The size in bytes that the archive states. */
  size: number;
  /** Reads the content; throws when it is damaged or its length isn't `size`. */
  read(): Promise<AsyncIterable<Uint8Array>>;
}

/** An archive to read from. `files` lists its files, always in the same order, and may be called repeatedly. */
export interface Archive {
  files(): AsyncIterable<ReadFile>;
}

/** The version of the layout below, which `account.json` names. */
export const ARCHIVE_VERSION = 1;

/** The file that says which account an archive holds; it is the first. */
export const ACCOUNT_FILE = "account.json";

/** The file with the records of one kind, one JSON text in each line. */
export const recordsFile = (kind: string): string => `${kind}.jsonl`;

/** The mailbox of an inbox: its mail in mbox form. */
export const mailboxFile = (email: string): string => `mail/${email}.mbox`;

/** Bytes that records refer to by their SHA-256: attachments. */
export const bytesFile = (hash: string): string => `files/${hash}`;

/** The archive can't be imported. The message says what is wrong with it, and what to do. */
export class ArchiveError extends Error {
  override name = "ArchiveError";
}
