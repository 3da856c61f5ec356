import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { textKind } from "../../mail/attachments.ts";
import { term } from "../../mailbox/messages/index.ts";
import { iso } from "../../model/fields.ts";
import type { OutsideMentionRecord } from "../../model/outside-mentions.ts";
import { openedMention } from "./carried.ts";
import { inTime, readBefore, textForAgents } from "./file-texts.ts";
import type { Sender } from "./leaving.ts";
import { mentionHash, mentionsOfFile } from "./mentions.ts";

/** What the files of an inbox say that nobody has read before. */
export interface UnreadFiles {
  /** What each of them names and says, as it would be noted. */
  files: OutsideMentionRecord[][];
  /** All of that. */
  mentions: OutsideMentionRecord[];
  /** The names of those that could not be opened. */
  unopened: string[];
}

export const NOTHING_UNREAD: UnreadFiles = { files: [], mentions: [], unopened: [] };

/** Opens the newest files of an inbox's mail whose text nobody has read yet. Writes nothing. */
export async function readUnreadFiles(
  services: Sender &
    Pick<Services, "storage" | "blobs" | "textExtraction" | "clock" | "log" | "options" | "contentWorker">,
): Promise<UnreadFiles> {
  const { storage, blobs, inbox, now, textExtraction } = services;
  if (textExtraction === undefined) return NOTHING_UNREAD;
  const { id: inbox_id, account_id } = inbox;
  const terms = await storage.find("message_terms", {
    where: { inbox_id, term: term.attachment },
    order: { by: "message_id", direction: "desc" },
    limit: LIMITS.outbound_files,
  });
  if (terms.length === 0) return NOTHING_UNREAD;
  const ids = terms.map(({ message_id }) => message_id);
  const messages = await storage.find("messages", { where: { id: { in: ids } }, limit: ids.length });
  const since = iso(new Date(now.getTime() - LIMITS.outside_mentions_kept_ms));
  const files = messages
    .filter(({ direction, created_at }) => direction === "inbound" && created_at >= since)
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .flatMap((message) => message.attachments.map((file) => ({ message, file })))
    .filter(({ file }) => textKind(file) !== null)
    .slice(0, LIMITS.outbound_files);
  if (files.length === 0) return NOTHING_UNREAD;
  const marks = files.map(({ file }) => mentionHash(account_id, openedMention(file.hash)));
  const noted = await storage.find("outside_mentions", {
    where: { account_id, hash: { in: marks } },
    limit: 1_000,
  });
  const known = new Set(noted.map(({ hash, message_id }) => `${hash} ${message_id}`));
  const unread = files.filter(({ message }, nth) => !known.has(`${marks[nth]} ${message.id}`));
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
    each.catch((error: unknown) => services.log.warn({ error }, "a file's text could not be read"));
  const read = await inTime(services, reading);
  const known_now = read.filter((each) => each !== undefined);
  return {
    files: known_now,
    mentions: known_now.flat(),
    unopened: unread.flatMap(({ file }, nth) => (read[nth] === undefined ? [file.filename] : [])),
  };
}
