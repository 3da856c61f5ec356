import { hash } from "node:crypto";
import { LIMITS } from "../../../catalogue/limits.ts";
import { type Archive, ArchiveError, type ReadFile } from "../archive.ts";
import { readMbox } from "../mbox.ts";

/** The content that records refer to by its hash: the mails in the mailboxes, and the attachments. */
export type ArchivedBytes = "mail" | "files";

/** Mails or attachments that are stored together. */
export interface ReadBytes {
  bytes: Uint8Array<ArrayBuffer>;
  files: {
    /** The offset of its first byte in `bytes`. */
    start: number;
    end: number;
    /**
     * Its SHA-256 in hex; for a mail also the one without its last byte, since a mailbox doesn't record which of the
     * two it was.
     */
    hashes: string[];
  }[];
}

/** The names of mailboxes and attachments in an archive. */
export const MAILBOX = /^mail\/[^/\\]{3,320}\.mbox$/;
export const ATTACHMENT = /^files\/([0-9a-f]{64})$/;

/** Bytes of mails and attachments that are stored in one transaction, and how many of them. */
const BYTES_AT_ONCE = 512 * 1024;
const FILES_AT_ONCE = 250;

/** Reads all mails or attachments, which throws if something is wrong with one; yields how many were read so far. */
export async function* readThrough(archive: Archive, what: ArchivedBytes): AsyncGenerator<number> {
  let read = 0;
  for await (const _ of filesIn(archive, what)) if (++read % FILES_AT_ONCE === 0) yield read;
  yield read;
}

/** All mails or attachments, in batches. */
export async function* readBytes(archive: Archive, what: ArchivedBytes): AsyncGenerator<ReadBytes> {
  // Each batch has a buffer of its own, which can be moved to another thread.
  let bytes = new Uint8Array(BYTES_AT_ONCE);
  let files: ReadBytes["files"] = [];
  let end = 0;
  for await (const { forms, name } of filesIn(archive, what)) {
    const [file] = forms;
    if (files.length === FILES_AT_ONCE || (files.length > 0 && end + file.length > bytes.length)) {
      yield { bytes, files };
      bytes = new Uint8Array(Math.max(BYTES_AT_ONCE, file.length));
      files = [];
      end = 0;
    }
    if (file.length > bytes.length) bytes = new Uint8Array(file.length);
    bytes.set(file, end);
    const hashes = name === undefined ? forms.map((form) => hash("sha256", form, "hex")) : [name];
    files.push({ start: end, end: end + file.length, hashes });
    end += file.length;
  }
  if (files.length > 0) yield { bytes, files };
}

interface ArchivedFile {
  /** Its bytes; of a mail in the two forms that `readMbox` answers. Valid until the next file. */
  forms: [Uint8Array, ...Uint8Array[]];
  /** The hash that an attachment is named after. */
  name?: string;
}

async function* filesIn(archive: Archive, what: ArchivedBytes): AsyncGenerator<ArchivedFile> {
  for await (const file of archive.files()) {
    const name = ATTACHMENT.exec(file.name)?.[1];
    if (what === "files" && name !== undefined) yield { forms: [await readAttachment(file, name)], name };
    if (what === "mail" && MAILBOX.test(file.name)) yield* mailsIn(file);
  }
}

async function* mailsIn(file: ReadFile): AsyncGenerator<ArchivedFile> {
  const tooLong = () => new ArchiveError(`${file.name} has a mail that is larger than any.`);
  for await (const forms of readMbox(await file.read(), LIMITS.raw_mail_bytes, tooLong)) yield { forms };
}

async function readAttachment(file: ReadFile, name: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await file.read()) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  if (hash("sha256", bytes, "hex") !== name)
    throw new ArchiveError(`The file ${file.name} is damaged: its content is not what its name says.`);
  return bytes;
}
