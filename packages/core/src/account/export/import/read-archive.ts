import { z } from "zod";
import { LIMITS } from "../../../catalogue/limits.ts";
import { issueText } from "../../../kernel/input/issue-words.ts";
import { createTurns, createYieldToEventLoop } from "../../../kernel/yield-to-event-loop.ts";
import { indexedWords } from "../../../mail/search-words.ts";
import { AccountRecord } from "../../../model/accounts.ts";
import type { AnyRecord } from "../../../model/belonging.ts";
import { Timestamp } from "../../../model/fields.ts";
import { MessageBodyRecord, type MessageRecord } from "../../../model/messages.ts";
import { type TableName, tables } from "../../../model/tables.ts";
import {
  ACCOUNT_FILE,
  ARCHIVE_VERSION,
  type Archive,
  ArchiveError,
  type ReadFile,
  recordsFile,
} from "../archive.ts";
import { EXPORTED_KINDS, exportedKind } from "../exported-kinds.ts";
import { linesOf } from "../mbox.ts";
import { fillerOf } from "./absent-fields.ts";
import {
  type ArchivedBytes,
  ATTACHMENT,
  MAILBOX,
  type ReadBytes,
  readBytes,
  readThrough,
} from "./read-bytes.ts";
import { fillTrashed, TrashedRecord } from "./trashed.ts";

const Head = z.strictObject({
  format: z.literal("letterslot-account"),
  version: z.literal(ARCHIVE_VERSION),
  exported_at: Timestamp,
  held_content: z.boolean(),
  // Archives of before have no floor.
  account: AccountRecord.extend({
    send_mode_floor: AccountRecord.shape.send_mode_floor.default("direct"),
  }).strict(),
});

/** The contents of `account.json`. */
export type ArchiveHead = z.infer<typeof Head>;

/**
 * An archive recognised as an account's export. The records it yields can be passed between threads; faults are
 * thrown as an `ArchiveError`.
 */
export interface AccountArchive {
  head: ArchiveHead;
  /**
   * The records of a kind, each valid on its own, reduced to what is checked: mostly without structured values, and
   * with long texts cut.
   */
  outlines(kind: TableName): AsyncGenerator<AnyRecord[]>;
  /** The records of a kind, each valid on its own, in batches. */
  records(kind: TableName): AsyncGenerator<ReadRecords>;
  /** Reads all mails or attachments; yields how many were read so far. */
  readThrough(what: ArchivedBytes): AsyncGenerator<number>;
  /** All mails or attachments, in batches. */
  bytes(what: ArchivedBytes): AsyncGenerator<ReadBytes>;
}

/** A message as an archive has it. */
export type WholeMessage = MessageRecord & { body: Omit<MessageBodyRecord, "message_id"> };

/** Records that are stored together; for messages also the search words of each of their texts. */
export interface ReadRecords {
  records: AnyRecord[];
  text_words: string[];
  /** Their size in the archive. */
  bytes: number;
}

/** The batch size in which records are passed on and checked. */
const RECORDS_AT_ONCE = 250;
/** Bytes of records read after which outlines are passed on, so that their source texts don't take much memory. */
const OUTLINED_BYTES = 512 * 1024;
/** Bytes after which whole records are passed on, before the garbage collector promotes them to the old generation. */
const BYTES_AT_ONCE = 96 * 1024;
/** More than any id or address has. */
const OUTLINED_CHARS = 1_000;
/** Kinds whose structured values are checked too; they are short. */
const WHOLE: ReadonlySet<TableName> = new Set<TableName>(["inboxes", "trashed_inboxes", "webhooks"]);
/** Characters whose words are found in one turn of the event loop. */
const CHARS_PER_TURN = 64 * 1024;

/**
 * Opens an archive. Throws an `ArchiveError` for anything that is not an export of this version: other files, a file
 * twice, too many or too large ones, or a wrong `account.json`.
 */
export async function openArchive(archive: Archive): Promise<AccountArchive> {
  const known = new Set([ACCOUNT_FILE, ...EXPORTED_KINDS.map(recordsFile)]);
  const seen = new Set<string>();
  const files = new Map<string, ReadFile>();
  let bytes = 0;
  for await (const file of archive.files()) {
    const { name, size } = file;
    const shown = JSON.stringify(name.slice(0, 100));
    if (!known.has(name) && !MAILBOX.test(name) && !ATTACHMENT.test(name))
      throw new ArchiveError(
        `The archive has a file ${shown}, which no export has. Use a file that export made.`,
      );
    if (seen.has(name)) throw new ArchiveError(`The archive has the file ${shown} twice.`);
    if (ATTACHMENT.test(name) && size > LIMITS.raw_mail_bytes)
      throw new ArchiveError(`The file ${shown} is larger than any attachment.`);
    seen.add(name);
    if (known.has(name)) files.set(name, file);
    bytes += size;
    if (seen.size > LIMITS.import_files || bytes > LIMITS.import_bytes)
      throw new ArchiveError("The archive is larger than any that can be imported.");
  }
  const head = await readHead(files.get(ACCOUNT_FILE));
  const recordsOf = (kind: TableName, bytes_at_once: number) =>
    readRecords(kind, files.get(recordsFile(kind)), bytes_at_once);
  return {
    head,
    async *outlines(kind) {
      for await (const { records } of recordsOf(kind, OUTLINED_BYTES))
        yield WHOLE.has(kind) ? records : records.map(outlineOf);
    },
    async *records(kind) {
      for await (const batch of recordsOf(kind, BYTES_AT_ONCE))
        yield { ...batch, text_words: kind === "messages" ? await wordsOf(batch.records) : [] };
    },
    readThrough: (what) => readThrough(archive, what),
    bytes: (what) => readBytes(archive, what),
  };
}

async function readHead(file: ReadFile | undefined): Promise<ArchiveHead> {
  if (file === undefined)
    throw new ArchiveError(`The archive has no ${ACCOUNT_FILE}. Use a file that export made.`);
  const tooLong = () => new ArchiveError(`${ACCOUNT_FILE} is too long.`);
  if (file.size > LIMITS.small_body_bytes) throw tooLong();
  const pieces: Uint8Array[] = [];
  for await (const line of linesOf(await file.read(), LIMITS.small_body_bytes, tooLong)) pieces.push(line);
  const json = parseJson(Buffer.concat(pieces), ACCOUNT_FILE);
  const { version } = (json ?? {}) as { version?: unknown };
  if (typeof version === "number" && version > ARCHIVE_VERSION)
    throw new ArchiveError(
      "The archive was written by a later version of Letterslot. Import it with that version, or a later one.",
    );
  return parse(Head, fillerOf(Head)(json), ACCOUNT_FILE) as ArchiveHead;
}

async function* readRecords(
  kind: TableName,
  file: ReadFile | undefined,
  bytes_at_once: number,
): AsyncGenerator<Pick<ReadRecords, "records" | "bytes">> {
  if (file === undefined) return;
  const shape = shapeOf(kind);
  const { added, derived } = exportedKind(kind);
  const fill = kind === "trash" ? fillTrashed : fillerOf(shape);
  const tooLong = () => new ArchiveError(`${file.name} has a line that is longer than any record.`);
  let records: AnyRecord[] = [];
  let bytes = 0;
  let number = 0;
  for await (const line of linesOf(await file.read(), LIMITS.import_line_bytes, tooLong)) {
    const place = `line ${++number} of ${file.name}`;
    const json = parseJson(line, place);
    records.push(
      parse(shape, fill(isObject(json) ? { ...added, ...derived?.(json), ...json } : json), place),
    );
    bytes += line.length;
    if (records.length < RECORDS_AT_ONCE && bytes < bytes_at_once) continue;
    yield { records, bytes };
    records = [];
    bytes = 0;
  }
  if (records.length > 0) yield { records, bytes };
}

/** The shape of an exported record: the stored one without its secrets; messages have their bodies. */
function shapeOf(kind: TableName): z.ZodType {
  const { secret = [] } = exportedKind(kind);
  const { shape } = tables[kind].record;
  if (kind === "trash") return TrashedRecord;
  const shown = z.strictObject(
    Object.fromEntries(Object.entries(shape).filter(([column]) => !secret.includes(column))),
  );
  return kind === "messages"
    ? shown.extend({ body: MessageBodyRecord.omit({ message_id: true }).strict() })
    : shown;
}

const isObject = (json: unknown): json is AnyRecord =>
  typeof json === "object" && json !== null && !Array.isArray(json);

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parseJson(bytes: Uint8Array, place: string): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ArchiveError(`There is no JSON in ${place}.`);
  }
}

function parse(shape: z.ZodType, json: unknown, place: string): AnyRecord {
  const { success, data, error } = shape.safeParse(json);
  if (success) return data as AnyRecord;
  throw new ArchiveError(`${place} is not what an export of this version has: ${issueText(error, json)}`);
}

/**
 * Reduces a record to what is checked against other records: its ids and addresses. Longer texts are cut, so that
 * they match none.
 */
function outlineOf(record: AnyRecord): AnyRecord {
  const outline: AnyRecord = {};
  for (const [column, value] of Object.entries(record)) {
    if (typeof value === "string") outline[column] = value.slice(0, OUTLINED_CHARS);
    else if (value === null || typeof value !== "object") outline[column] = value;
  }
  return outline;
}

/** The words of each message's text, in one string: thousands of strings take long to hand over. */
async function wordsOf(messages: AnyRecord[]): Promise<string[]> {
  const inTurn = createTurns(createYieldToEventLoop(), CHARS_PER_TURN);
  const words: string[] = [];
  for (const message of messages as unknown as WholeMessage[]) {
    await inTurn((message.body.text ?? message.extracted_text).length);
    words.push(indexedWords(message, message.body));
  }
  return words;
}
