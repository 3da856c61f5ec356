import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { readAs, textKind } from "../../mail/attachments.ts";
import { type InlineAttachment, mediaTypeOf } from "../../mailbox/messages/index.ts";
import type { StoredAttachment } from "../../model/attachments.ts";
import type { ContentPart } from "../../ports/content-scanner.ts";

/** The texts of files, and the names of those that could not be looked into, wholly or at all. */
export interface FileTexts {
  parts: ContentPart[];
  unopened: string[];
}

export type Opening = Pick<Services, "storage" | "textExtraction" | "clock" | "log">;

/** A file by its type and name, with its bytes; undefined where they are too many, or gone. */
export interface FileToOpen {
  filename: string;
  content_type: string;
  parameters?: Record<string, string> | undefined;
  bytes: Uint8Array | undefined;
  /** The hash of a stored file, whose text may be known already. */
  hash?: string;
}

interface AttachedFiles {
  uploads?: readonly InlineAttachment[] | undefined;
  stored?: readonly StoredAttachment[] | undefined;
}

/** What has no text: it is searched for our own words alone. */
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
    ...stored.map(({ filename, content_type, parameters, hash }) => ({
      ...{ filename, content_type, parameters, hash },
      bytes: files.get(hash),
    })),
  ]);
}

function uploaded(upload: InlineAttachment): FileToOpen {
  const { filename, content_base64 } = upload;
  const fits = content_base64.length <= (LIMITS.attachment_text_input_bytes * 4) / 3;
  const bytes = Buffer.from(fits ? content_base64 : content_base64.slice(0, 64), "base64");
  return { filename, ...mediaTypeOf(upload, bytes), bytes: fits ? bytes : undefined };
}

/** Opens files in the reading threads, the first twenty within two seconds. */
async function openFiles(opening: Opening, files: readonly FileToOpen[]): Promise<FileTexts> {
  if (files.length === 0) return { parts: [], unopened: [] };
  const known = await knownTexts(opening, files);
  const opened = await inTime(
    opening,
    files.slice(0, LIMITS.outbound_files).map((file) => openFile(opening, file, known)),
  );
  const named = files.map(({ filename: name }, nth) => ({ name, text: opened[nth] ?? null }));
  return {
    parts: named.flatMap(({ name, text }) => (text === null || text === "" ? [] : [{ name, text }])),
    unopened: named.flatMap(({ name, text }) => (text === null ? [name] : [])),
  };
}

/** What comes of work within two seconds; undefined for what takes longer, which goes on. */
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

async function knownTexts(
  { storage }: Opening,
  files: readonly FileToOpen[],
): Promise<ReadonlyMap<string, string | null>> {
  const hashes = files.flatMap(({ hash }) => hash ?? []);
  if (hashes.length === 0) return new Map();
  const texts = await storage.find("attachment_texts", { where: { hash: { in: hashes } }, limit: 200 });
  return new Map(
    texts.map(({ hash, kind, text, failure, truncated }) => [
      `${hash} ${kind}`,
      failure !== null || truncated ? null : text,
    ]),
  );
}

/** The text of a file, empty for one that has none; null if it can't be opened, or not all of it. */
export async function openFile(
  { textExtraction, log }: Opening,
  file: FileToOpen,
  known: ReadonlyMap<string, string | null> = new Map(),
): Promise<string | null> {
  const kind = textKind(file);
  if (kind === null) return MEDIA.test(file.content_type) && !isArchive(file.bytes) ? "" : null;
  const read = readAs(file);
  const before = read === undefined ? undefined : known.get(`${file.hash} ${read.read_as}`);
  if (before !== undefined) return before;
  const { bytes } = file;
  if (bytes === undefined || bytes.length > LIMITS.attachment_text_input_bytes) return null;
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
