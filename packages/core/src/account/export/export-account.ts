import { fail } from "../../catalogue/errors.ts";
import type { Services } from "../../kernel/context.ts";
import { bodiesOf, composeMessage, isHeld, term } from "../../mailbox/messages/index.ts";
import type { StoredAttachment } from "../../model/attachments.ts";
import type { AnyRecord } from "../../model/belonging.ts";
import type { DraftRecord } from "../../model/drafts.ts";
import { iso } from "../../model/fields.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import type { TableName } from "../../model/tables.ts";
import type { TrashRecord } from "../../model/trash.ts";
import type { Storage } from "../../ports/storage.ts";
import {
  ACCOUNT_FILE,
  ARCHIVE_VERSION,
  type ArchiveFile,
  bytesFile,
  mailboxFile,
  recordsFile,
} from "./archive.ts";
import { inboxesOf, messagesOf, messagesWith, recordsOf, trashedMessagesOf } from "./exported.ts";
import { EXPORTED_KINDS, exportedKind } from "./exported-kinds.ts";
import { mboxEntry } from "./mbox.ts";

/** The progress of an export or import: a kind of record, the mail or the attachments, and how many are done. */
export interface ExportProgress {
  step: "exporting" | "checking" | "importing";
  what: TableName | "mail" | "files";
  done: number;
  /** The total at the start, where it is counted. */
  total?: number;
}

/** The cap on the number of messages reported for an inbox. */
const MAX_COUNTED = 10_000_000;
/** Bytes of mails that are read at once. */
const MAIL_BYTES_AT_ONCE = 1024 * 1024;

type Source = Pick<Services, "storage" | "blobs" | "clock" | "contentWorker" | "yieldToEventLoop">;

interface Options {
  /** Whether held mail includes its content: only for people, never for keys. */
  held_content: boolean;
  progress?(now: ExportProgress): void;
}

/**
 * Yields the files of an account's export: `account.json`, one file of JSON Lines for each kind of record, a mailbox
 * for each inbox, and the attachments. It contains no secrets, hashes of secrets, sealed values or letters as sent.
 * Each file must be read before the next is requested; only a few records are in memory at a time. Fails with
 * `account_not_found`.
 */
export async function* exportAccount(
  services: Source,
  account_id: string,
  { held_content, progress = () => {} }: Options,
): AsyncGenerator<ArchiveFile> {
  const { storage } = services;
  const account = await storage.get("accounts", account_id);
  if (account === undefined) throw fail("account_not_found");
  const head = {
    format: "letterslot-account",
    version: ARCHIVE_VERSION,
    exported_at: iso(services.clock.now()),
    held_content,
    account,
  };
  yield {
    name: ACCOUNT_FILE,
    content: inPieces(async function* () {
      yield `${JSON.stringify(head, null, 2)}\n`;
    }),
  };

  const messages = await countMessages(storage, account_id);
  for (const kind of EXPORTED_KINDS) {
    let done = 0;
    const total = kind === "messages" ? { total: messages } : {};
    const counted = (records: number) =>
      progress({ step: "exporting", what: kind, done: (done += records), ...total });
    const lines = async function* () {
      for await (const batch of recordsOf(storage, kind, account_id)) {
        yield* kind === "messages"
          ? messageLines(services, batch as MessageRecord[], held_content)
          : batch.map((record) =>
              lineOf(kind, kind === "trash" ? trashShown(record as TrashRecord, held_content) : record),
            );
        counted(batch.length);
      }
    };
    yield { name: recordsFile(kind), content: inPieces(lines) };
  }

  let mails = 0;
  for await (const { id, email } of inboxesOf(storage, account_id)) {
    const entries = mailOf(services, id, held_content, () =>
      progress({ step: "exporting", what: "mail", done: ++mails, total: messages }),
    );
    yield { name: mailboxFile(email), content: entries };
  }
  yield* attachmentFiles(services, account_id, held_content, progress);
}

async function countMessages(storage: Storage, account_id: string): Promise<number> {
  let messages = 0;
  for await (const { id } of inboxesOf(storage, account_id))
    messages += await storage.count("messages", { inbox_id: id }, MAX_COUNTED);
  return messages;
}

/** The text in UTF-8, in pieces of a convenient length. */
async function* inPieces(lines: () => AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let text = "";
  for await (const line of lines()) {
    text += line;
    if (text.length < 64 * 1024) continue;
    yield Buffer.from(text);
    text = "";
  }
  if (text !== "") yield Buffer.from(text);
}

function lineOf(kind: TableName, record: AnyRecord): string {
  const { secret = [] } = exportedKind(kind);
  const shown = Object.fromEntries(Object.entries(record).filter(([column]) => !secret.includes(column)));
  return `${JSON.stringify(shown)}\n`;
}

async function* messageLines(
  { storage }: Source,
  messages: MessageRecord[],
  held_content: boolean,
): AsyncGenerator<string> {
  const bodies = await bodiesOf(storage, messages);
  for (const message of messages) {
    const found = bodies.get(message.id);
    if (found === undefined) continue;
    const withheld = isHeld(message) && !held_content;
    const { message_id: _same, ...body } = withheld ? withoutContent(found) : found;
    yield `${JSON.stringify({ ...(withheld ? withoutText(message) : message), body })}\n`;
  }
}

/** A record of the trash; of a held message without its content where that is withheld. */
function trashShown(trashed: TrashRecord, held_content: boolean): AnyRecord {
  if (trashed.body === null || held_content || !isHeld(trashed.record as MessageRecord)) return trashed;
  const record = withoutText(trashed.record as MessageRecord);
  return { ...trashed, record, body: withoutContent(trashed.body as MessageBodyRecord) };
}

const withoutText = (message: MessageRecord): MessageRecord => ({
  ...message,
  extracted_text: "",
  attachments: [],
  raw_hash: null,
  phone: message.phone && { ...message.phone, transcript: null },
});

const withoutContent = (body: MessageBodyRecord): MessageBodyRecord => ({
  ...body,
  text: null,
  html: null,
  extracted_html: null,
  headers: {},
  extraction: null,
});

/** The mail of an inbox as entries of a mailbox, oldest first. */
async function* mailOf(
  services: Source,
  inbox_id: string,
  held_content: boolean,
  counted: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const batch of messagesOf(services.storage, inbox_id))
    yield* mailsAmong(services, batch as MessageRecord[], held_content, counted);
  for await (const batch of trashedMessagesOf(services.storage, inbox_id)) {
    const received = batch.filter(({ raw_hash }) => raw_hash !== null);
    yield* mailsAmong(services, received, held_content, () => {});
  }
}

async function* mailsAmong(
  services: Source,
  batch: readonly MessageRecord[],
  held_content: boolean,
  counted: () => void,
): AsyncGenerator<Uint8Array> {
  // Texts, calls and voicemails are no mail: all of them is in the records and files.
  const wanted = batch.filter((message) => message.channel === "email" && (held_content || !isHeld(message)));
  const composed = wanted.filter(({ raw_hash }) => raw_hash === null);
  const bodies = await bodiesOf(services.storage, composed);
  for (const messages of inGroups(wanted)) {
    const mails = await Promise.all(
      messages.map((message) => rawOf(services, message, bodies.get(message.id))),
    );
    for (const [index, raw] of mails.entries()) {
      const { from, created_at } = messages[index] as MessageRecord;
      if (raw === undefined) continue;
      yield mboxEntry({ from, date: new Date(created_at), raw });
      counted();
    }
  }
}

/** Groups messages whose mails are read at once: many short ones, or a single long one. */
function* inGroups(messages: MessageRecord[]): Generator<MessageRecord[]> {
  let group: MessageRecord[] = [];
  let bytes = 0;
  for (const message of messages) {
    if (group.length > 0 && bytes + message.size_bytes > MAIL_BYTES_AT_ONCE) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(message);
    bytes += message.size_bytes;
  }
  if (group.length > 0) yield group;
}

/** The mail as it came, or as it is composed; undefined when it was deleted meanwhile. */
async function rawOf(
  services: Source,
  message: MessageRecord,
  body: MessageBodyRecord | undefined,
): Promise<Uint8Array | undefined> {
  if (message.raw_hash !== null) return services.blobs.get(message.raw_hash);
  return body === undefined ? undefined : composeMessage(services, message, body);
}

/** The attachments of an account's messages and drafts, each once. */
async function* attachmentFiles(
  services: Source,
  account_id: string,
  held_content: boolean,
  progress: NonNullable<Options["progress"]>,
): AsyncGenerator<ArchiveFile> {
  const seen = new Set<string>();
  for await (const attachments of attachmentsOf(services.storage, account_id, held_content)) {
    for (const { hash } of attachments) {
      if (seen.has(hash)) continue;
      seen.add(hash);
      const bytes = await services.blobs.get(hash);
      if (bytes === undefined) continue;
      yield { name: bytesFile(hash), content: once(bytes) };
      progress({ step: "exporting", what: "files", done: seen.size });
    }
  }
}

/** The attachments of each message and draft that has some. */
async function* attachmentsOf(
  storage: Storage,
  account_id: string,
  held_content: boolean,
): AsyncGenerator<StoredAttachment[]> {
  for await (const { id } of inboxesOf(storage, account_id)) {
    for await (const messages of messagesWith(storage, id, term.attachment))
      for (const message of messages) if (held_content || !isHeld(message)) yield message.attachments;
    for await (const messages of trashedMessagesOf(storage, id))
      for (const message of messages) if (held_content || !isHeld(message)) yield message.attachments;
  }
  for await (const drafts of recordsOf(storage, "drafts", account_id))
    for (const { attachments } of drafts as DraftRecord[]) yield attachments;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
