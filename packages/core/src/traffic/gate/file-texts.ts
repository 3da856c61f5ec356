import { LetterslotError } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { readAs, textKind } from "../../mail/attachments.ts";
import { type GivenFile, mediaTypeOf } from "../../mailbox/messages/index.ts";
import type { AttachmentTextRecord, StoredAttachment } from "../../model/attachments.ts";
import { keepDecoded } from "../../model/base64.ts";
import type { ContentPart } from "../../ports/content-scanner.ts";

/** The texts of files, and the names of those that could not be looked into, wholly or at all. */
export interface FileTexts {
  parts: ContentPart[];
  unopened: string[];
}

export type Opening = Pick<Services, "storage" | "textExtraction" | "clock" | "log">;

/** A file by its type and name, with its bytes. */
export interface FileToOpen {
  filename: string;
  content_type: string;
  parameters?: Record<string, string> | undefined;
  size_bytes: number;
  /** All of them, or their beginning where they are too many to be opened; undefined where they are gone. */
  bytes: Uint8Array | undefined;
  /** The hash of a stored file, whose text may be known already. */
  hash?: string;
}

interface AttachedFiles {
  uploads?: readonly GivenFile[] | undefined;
  stored?: readonly StoredAttachment[] | undefined;
}

/** Types of files without text: they are searched for our own words alone. */
const MEDIA = /^(?:image|audio|video|font)\//;
/** How archives begin. */
const ARCHIVES = ["504b0304", "1f8b", "377abcaf", "52617221", "425a68", "fd377a58"];

/** Opens the files of something that leaves, as many as time allows. */
export function textsOfLeaving(
  opening: Opening,
  { uploads = [], stored = [] }: AttachedFiles,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<FileTexts> {
  return openFiles(opening, [
    ...uploads.map(uploaded),
    ...stored.map(({ filename, content_type, parameters, size_bytes, hash }) => ({
      ...{ filename, content_type, parameters, size_bytes, hash },
      bytes: files.get(hash),
    })),
  ]);
}

function uploaded(upload: GivenFile): FileToOpen {
  const { filename, bytes } = upload;
  return { filename, ...mediaTypeOf(upload, bytes), size_bytes: bytes.length, bytes };
}

const isTooLarge = ({ size_bytes }: Pick<FileToOpen, "size_bytes">): boolean =>
  size_bytes > LIMITS.attachment_text_input_bytes;

/** Opens files in the reading threads, the first twenty within two seconds. */
async function openFiles(opening: Opening, files: readonly FileToOpen[]): Promise<FileTexts> {
  if (files.length === 0) return { parts: [], unopened: [] };
  const known = await readBefore(opening, files);
  const first = files.slice(0, LIMITS.outbound_files);
  const opened = await inTime(
    opening,
    first.map((file) => openFile(opening, file, known)),
  );
  // Whoever reads these goes on, also once the mail is stored.
  for (const [nth, { bytes }] of first.entries())
    if (opened[nth] === undefined && bytes !== undefined) keepDecoded(bytes);
  const named = files.map(({ filename: name }, nth) => ({ name, text: opened[nth] ?? null }));
  return {
    parts: named.flatMap(({ name, text }) => (text === null || text === "" ? [] : [{ name, text }])),
    unopened: named.flatMap(({ name, text }) => (text === null ? [name] : [])),
  };
}

/** Waits two seconds for work; returns undefined for what takes longer, which goes on. */
export async function inTime<T>(
  { clock }: Pick<Services, "clock">,
  working: readonly Promise<T>[],
): Promise<(T | undefined)[]> {
  const out_of_time = Promise.withResolvers<undefined>();
  const stop = clock.after(LIMITS.outbound_files_ms, () => out_of_time.resolve(undefined));
  try {
    return await Promise.all(working.map((each) => Promise.race([each, out_of_time.promise])));
  } finally {
    stop();
  }
}

/** What agents get of stored files, by hash and kind, as far as they were read before. */
export async function readBefore(
  { storage }: Pick<Services, "storage">,
  files: readonly Pick<FileToOpen, "hash">[],
): Promise<ReadonlyMap<string, AttachmentTextRecord>> {
  const hashes = files.flatMap(({ hash }) => hash ?? []);
  if (hashes.length === 0) return new Map();
  const texts = await storage.find("attachment_texts", { where: { hash: { in: hashes } }, limit: 200 });
  return new Map(texts.map((each) => [`${each.hash} ${each.kind}`, each]));
}

/**
 * What an agent gets of a stored file, if only its beginning: empty where it gets nothing. Undefined if it can't be told
 * for now.
 */
export async function textForAgents(
  { textExtraction, log }: Pick<Opening, "textExtraction" | "log">,
  file: FileToOpen,
  before: ReadonlyMap<string, AttachmentTextRecord>,
): Promise<string | undefined> {
  const [kind, read] = [textKind(file), readAs(file)];
  if (kind === null || textExtraction === undefined) return "";
  const known = before.get(`${file.hash} ${read?.read_as}`);
  if (known !== undefined) return known.text ?? "";
  if (isTooLarge(file)) return "";
  const { bytes } = file;
  if (bytes === undefined) return undefined;
  try {
    return (await textExtraction.extract({ bytes, kind, charset: read?.charset })).text;
  } catch (error) {
    if (error instanceof LetterslotError && NEVER_READ.includes(error.code)) return "";
    log.info({ error }, "a file that came in could not be opened for now");
    return undefined;
  }
}

/** The failures of a file that it has whenever it is opened. */
const NEVER_READ: readonly string[] = ["text_extraction_failed", "attachment_too_large"];

/** The text of a file, empty for one that has none; null if it can't be opened, or not all of it. */
async function openFile(
  { textExtraction, log }: Opening,
  file: FileToOpen,
  known: ReadonlyMap<string, AttachmentTextRecord>,
): Promise<string | null> {
  const kind = textKind(file);
  if (kind === null) return MEDIA.test(file.content_type) && !isArchive(file.bytes) ? "" : null;
  const read = readAs(file);
  const before = read === undefined ? undefined : known.get(`${file.hash} ${read.read_as}`);
  if (before !== undefined) return before.failure !== null || before.truncated ? null : before.text;
  const { bytes } = file;
  if (bytes === undefined || isTooLarge(file)) return null;
  if (textExtraction === undefined) return kind === "text" ? plainText(bytes) : null;
  try {
    const { text, truncated } = await textExtraction.extract({ bytes, kind, charset: read?.charset });
    return truncated ? null : text;
  } catch (error) {
    log.info({ error }, "a file that was to leave could not be opened");
    return null;
  }
}

function plainText(bytes: Uint8Array): string | null {
  if (bytes.length > LIMITS.attachment_text_chars) return null;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

function isArchive(bytes: Uint8Array | undefined): boolean {
  if (bytes === undefined) return false;
  const head = Buffer.from(bytes.subarray(0, 4)).toString("hex");
  return ARCHIVES.some((begins) => head.startsWith(begins));
}
