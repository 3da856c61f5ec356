import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { textKind } from "../../mail/attachments.ts";
import { term } from "../../mailbox/messages/index.ts";
import type { StoredAttachment } from "../../model/attachments.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { OutsideMentionRecord } from "../../model/outside-mentions.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { FILES_MENTION, openedMention } from "./carried.ts";
import { inTime, readBefore, textForAgents } from "./file-texts.ts";
import type { Sender } from "./leaving.ts";
import { mentionHash, mentionsOfFile } from "./mentions.ts";

/** Mails with files that are looked through for those that the caller may read. */
const MAX_MAILS = 200;

/** The caller's view of mail that came in. */
export interface Sight {
  readable(evidence: OutsideMentionRecord[]): Promise<OutsideMentionRecord[]>;
  /** A file by its name, or without where they may not read its mail. */
  fileShown(message: MessageRecord, filename: string): string;
}

/** A file that came in, with its mail. */
interface CameIn {
  message: MessageRecord;
  file: StoredAttachment;
}

/** The text of an inbox's files that nobody has read before. */
export interface UnreadFiles {
  /** What each of them names and says, as it would be noted. */
  files: OutsideMentionRecord[][];
  /** All of that. */
  mentions: OutsideMentionRecord[];
  /** Those that could not be opened, as the caller may know them. */
  unopened: string[];
  /** What those of them say that only take longer; undefined where that can't be told. */
  late: Promise<OutsideMentionRecord[] | undefined>[];
}

export const NOTHING_UNREAD: UnreadFiles = { files: [], mentions: [], unopened: [], late: [] };

/**
 * Finds the newest files whose text nobody has read yet: of the inbox's mail, and of what else the caller may read, also
 * from the trash.
 */
export async function findUnreadFiles(
  sender: Sender & Pick<Services, "storage" | "textExtraction">,
  accounts: Promise<InboxRecord[]>,
  sight: Sight,
): Promise<CameIn[]> {
  const { storage, inbox, now, textExtraction } = sender;
  if (textExtraction === undefined) return [];
  const ids = await mailsWithFiles(sender, accounts, sight);
  if (ids.length === 0) return [];
  const messages = await mailsOf(storage, ids);
  const since = iso(new Date(now.getTime() - LIMITS.outside_mentions_kept_ms));
  const came = messages
    .filter(({ direction, created_at }) => direction === "inbound" && created_at >= since)
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .flatMap((message) => message.attachments.map((file) => ({ message, file })))
    .filter(({ file }) => textKind(file) !== null);
  // What comes to other inboxes must not keep the inbox's own files from being opened.
  const files = [true, false].flatMap((here) =>
    came.filter(({ message }) => (message.inbox_id === inbox.id) === here).slice(0, LIMITS.outbound_files),
  );
  const groups = Map.groupBy(
    files,
    ({ message }) => `${message.account_id} ${message.inbox_id === inbox.id}`,
  );
  const noted = await Promise.all([...groups.values()].map((some) => marksOf(storage, some)));
  const known = new Set(noted.flat().map(({ hash, message_id }) => `${hash} ${message_id}`));
  return files.filter((each) => !known.has(`${markOf(each)} ${each.message.id}`));
}

/** The mark that says of a file that it was read. */
const markOf = ({ message, file }: CameIn): string =>
  mentionHash(message.account_id, openedMention(file.hash));

/** The marks of files that came to one account: of their mails alone, as one that came with very many must not hide others. */
function marksOf(storage: StorageReader, files: readonly CameIn[]): Promise<OutsideMentionRecord[]> {
  const account_id = files[0]?.message.account_id ?? "";
  const marks = [...new Set(files.map(markOf))];
  const ids = [...new Set(files.map(({ message }) => message.id))];
  return storage.find("outside_mentions", {
    where: { account_id, hash: { in: marks }, message_id: { in: ids } },
    limit: marks.length * ids.length,
  });
}

/** The newest mails with files: of the inbox, and of what else the caller may read. */
async function mailsWithFiles(
  { storage, inbox }: Sender,
  accounts: Promise<InboxRecord[]>,
  sight: Sight,
): Promise<string[]> {
  const order = { by: "message_id", direction: "desc" } as const;
  const elsewhere = async (): Promise<OutsideMentionRecord[]> => {
    const came = (await accounts).map(({ account_id }) => {
      const where = { account_id, hash: mentionHash(account_id, FILES_MENTION) };
      return storage.find("outside_mentions", { where, order, limit: MAX_MAILS });
    });
    const readable = await sight.readable((await Promise.all(came)).flat());
    const here = readable.filter(({ inbox_id }) => inbox_id === inbox.id);
    const there = readable.filter(({ inbox_id }) => inbox_id !== inbox.id);
    return [here, there].flatMap((each) => each.slice(0, LIMITS.outbound_files));
  };
  // Mail that came while no inbox looked at what it sends is found by its terms alone.
  const where = { inbox_id: inbox.id, term: term.attachment };
  const found = await Promise.all([
    storage.find("message_terms", { where, order, limit: LIMITS.outbound_files }),
    elsewhere(),
  ]);
  return [...new Set(found.flat().map(({ message_id }) => message_id))];
}

/** Mails by their ids, also from the trash. */
async function mailsOf(storage: StorageReader, ids: readonly string[]): Promise<MessageRecord[]> {
  const limit = ids.length;
  const messages = await storage.find("messages", { where: { id: { in: ids } }, limit });
  const known = new Set(messages.map(({ id }) => id));
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length === 0) return messages;
  const trashed = await storage.find("trash", { where: { id: { in: missing } }, limit });
  return [...messages, ...trashed.map(({ record }) => record as MessageRecord)];
}

/** Opens files that came in, as many as time allows. Writes nothing. */
export async function openUnreadFiles(
  services: Sender &
    Pick<Services, "storage" | "blobs" | "textExtraction" | "clock" | "log" | "options" | "contentWorker">,
  unread: readonly CameIn[],
  sight: Sight,
): Promise<UnreadFiles> {
  if (unread.length === 0) return NOTHING_UNREAD;
  const { storage, blobs, inbox, log } = services;
  const inboxOf = async ({ inbox_id: id, account_id }: MessageRecord) =>
    id === inbox.id ? inbox : ((await storage.get("inboxes", id)) ?? { ...inbox, id, account_id });
  const before = await readBefore(
    services,
    unread.map(({ file }) => file),
  );
  const reading = unread.map(async ({ message, file }) => {
    const { content_type, parameters, hash, filename, size_bytes } = file;
    const bytes = size_bytes > LIMITS.attachment_text_input_bytes ? undefined : await blobs.get(hash);
    const opened = { filename, content_type, parameters, hash, size_bytes, bytes };
    const text = await textForAgents(services, opened, before);
    return text === undefined
      ? undefined
      : mentionsOfFile(services, await inboxOf(message), message, hash, text);
  });
  for (const each of reading)
    each.catch((error: unknown) => log.warn({ error }, "a file's text could not be read"));
  const read = await inTime(services, reading);
  const files = read.filter((each) => each !== undefined);
  const unopened = unread.filter((_, nth) => read[nth] === undefined);
  return {
    files,
    mentions: files.flat(),
    unopened: [...new Set(unopened.map(({ message, file }) => sight.fileShown(message, file.filename)))],
    late: reading.filter((_, nth) => read[nth] === undefined),
  };
}
