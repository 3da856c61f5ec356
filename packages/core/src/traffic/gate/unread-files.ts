import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { textKind } from "../../mail/attachments.ts";
import { term } from "../../mailbox/messages/index.ts";
import type { StoredAttachment } from "../../model/attachments.ts";
import { iso } from "../../model/fields.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { OutsideMentionRecord } from "../../model/outside-mentions.ts";
import { openedMention } from "./carried.ts";
import { type AskedBy, fileShown } from "./evidence.ts";
import { inTime, readBefore, textForAgents } from "./file-texts.ts";
import type { Sender } from "./leaving.ts";
import { mentionHash, mentionsOfFile } from "./mentions.ts";

/** A file that came in, with its mail. */
interface CameIn {
  message: MessageRecord;
  file: StoredAttachment;
}

/** What the files of an inbox say that nobody has read before. */
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

/** Finds the newest files of an inbox's mail whose text nobody has read yet. */
export async function findUnreadFiles({
  storage,
  inbox,
  now,
  textExtraction,
}: Sender & Pick<Services, "storage" | "textExtraction">): Promise<CameIn[]> {
  if (textExtraction === undefined) return [];
  const { id: inbox_id, account_id } = inbox;
  const terms = await storage.find("message_terms", {
    where: { inbox_id, term: term.attachment },
    order: { by: "message_id", direction: "desc" },
    limit: LIMITS.outbound_files,
  });
  if (terms.length === 0) return [];
  const ids = terms.map(({ message_id }) => message_id);
  const messages = await storage.find("messages", { where: { id: { in: ids } }, limit: ids.length });
  const since = iso(new Date(now.getTime() - LIMITS.outside_mentions_kept_ms));
  const files = messages
    .filter(({ direction, created_at }) => direction === "inbound" && created_at >= since)
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .flatMap((message) => message.attachments.map((file) => ({ message, file })))
    .filter(({ file }) => textKind(file) !== null)
    .slice(0, LIMITS.outbound_files);
  if (files.length === 0) return [];
  const marks = files.map(({ file }) => mentionHash(account_id, openedMention(file.hash)));
  // Of these mails alone: a file that came with very many must not hide the marks of others.
  const noted = await storage.find("outside_mentions", {
    where: { account_id, hash: { in: marks }, message_id: { in: ids } },
    limit: marks.length * ids.length,
  });
  const known = new Set(noted.map(({ hash, message_id }) => `${hash} ${message_id}`));
  return files.filter(({ message }, nth) => !known.has(`${marks[nth]} ${message.id}`));
}

/** Opens files that came in, as many as time allows. Writes nothing. */
export async function openUnreadFiles(
  services: Sender &
    Pick<Services, "storage" | "blobs" | "textExtraction" | "clock" | "log" | "options" | "contentWorker"> &
    AskedBy,
  unread: readonly CameIn[],
): Promise<UnreadFiles> {
  if (unread.length === 0) return NOTHING_UNREAD;
  const { blobs, inbox, log } = services;
  const before = await readBefore(
    services,
    unread.map(({ file }) => file),
  );
  const reading = unread.map(async ({ message, file }) => {
    const { content_type, parameters, hash, filename } = file;
    const opened = { filename, content_type, parameters, hash, bytes: await blobs.get(hash) };
    const text = await textForAgents(services, opened, before);
    return text === undefined ? undefined : mentionsOfFile(services, inbox, message, hash, text);
  });
  for (const each of reading)
    each.catch((error: unknown) => log.warn({ error }, "a file's text could not be read"));
  const read = await inTime(services, reading);
  const files = read.filter((each) => each !== undefined);
  const unopened = unread.filter((_, nth) => read[nth] === undefined);
  return {
    files,
    mentions: files.flat(),
    unopened: [...new Set(unopened.map(({ message, file }) => fileShown(services, message, file.filename)))],
    late: reading.filter((_, nth) => read[nth] === undefined),
  };
}
