import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import { indexedWords, joinedSearchWords, MAX_INDEXED_WORDS } from "../../mail/search-words.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import { searchedForms } from "../../model/address.ts";
import type { AttachmentPlaceRecord } from "../../model/attachments.ts";
import type { MessageBodyRecord, MessageRecord, MessageReferenceRecord } from "../../model/messages.ts";
import type { StagedBlob } from "../../ports/blobs.ts";
import type { SearchDocument } from "../../ports/search.ts";
import { termRecords } from "./terms.ts";
import { referencesOf } from "./threading/references.ts";

/** Further words of a header field are not indexed. */
const MAX_INDEXED_HEADER_WORDS = 500;

/**
 * The words by which a message's text is found, in one string. Long text takes long, so they are read before the
 * transaction that stores the message.
 */
export const textWords = (
  { contentWorker }: Pick<Services, "contentWorker">,
  text: string,
): Promise<string> => workOnContent(contentWorker, "searchWords", { text, max: MAX_INDEXED_WORDS });

/**
 * Stores a message with its body, filter terms, references, search words and blob uses. When a message with
 * the same client_id or content exists, stores nothing and returns that message and `inserted: false`.
 */
export async function storeMessage(
  work: Work,
  message: MessageRecord,
  body: MessageBodyRecord,
  text_words?: string,
): Promise<{ record: MessageRecord; inserted: boolean }> {
  const stored = await work.insert("messages", message);
  if (stored.inserted) appendDetails(work, message, body, [], text_words);
  return stored;
}

/**
 * Like `storeMessage`, for one of many messages that are not here: otherwise the transaction fails. `text_words` are its
 * `indexedWords`.
 */
export function appendMessage(
  work: Work,
  message: MessageRecord,
  body: MessageBodyRecord,
  text_words: string,
): void {
  work.append("messages", [message]);
  appendDetails(work, message, body, [], text_words);
}

/**
 * Like `storeMessage`, with staged blobs, for mail of an inbox that is almost certainly new: the details are
 * appended without waiting for the insert, so the transaction must fail when it resolves with `inserted:
 * false`.
 */
export function storeNewMessage(
  work: Work,
  message: MessageRecord,
  body: MessageBodyRecord,
  {
    blobs,
    text_words,
    inbox_address,
  }: { blobs: readonly StagedBlob[]; text_words: string; inbox_address: string },
): Promise<{ record: MessageRecord; inserted: boolean }> {
  const stored = work.insert("messages", message);
  appendDetails(work, message, body, blobs, text_words, inbox_address);
  return stored;
}

function appendDetails(
  work: Work,
  message: MessageRecord,
  body: MessageBodyRecord,
  blobs: readonly StagedBlob[],
  text_words: string | undefined,
  inbox_address?: string,
): void {
  for (const blob of blobs) blob.put(work);
  work.countBytes(message.size_bytes);
  work.append(
    "blob_uses",
    blobHashesOf(message).map((hash) => ({ hash, message_id: message.id })),
  );
  const places = placesOf(message);
  if (places.length > 0) work.append("attachment_places", places);
  appendFindable(work, message, body, text_words, inbox_address);
}

/** Adds the body of a stored message, and everything by which it is found. */
export function appendFindable(
  work: Work,
  message: MessageRecord,
  body: MessageBodyRecord,
  text_words?: string,
  inbox_address?: string,
): void {
  work.append("message_bodies", [body]);
  work.append("message_terms", termRecords(message, inbox_address));
  work.append(
    "message_references",
    referencesOf(message).map((reference) => referenceRecord(message, reference)),
  );
  work.index([searchDocument(message, body, text_words)]);
}

/** The row by which later messages find this one. */
export const referenceRecord = (
  { id, inbox_id, thread_id, direction }: MessageRecord,
  reference: string,
): MessageReferenceRecord => ({
  inbox_id,
  reference,
  message_id: id,
  thread_id,
  own: direction === "outbound",
});

/** Stages bytes for the transaction that stores their message; without staging they are put at once. */
export function stageBlob({ blobs }: Pick<Services, "blobs">, bytes: Uint8Array): Promise<StagedBlob> {
  return blobs.stage?.(bytes) ?? blobs.put(bytes).then((hash) => ({ hash, put() {} }));
}

/** The rows by which the attachments of a message or draft are found. */
export const placesOf = ({
  id: message_id,
  attachments,
}: Pick<MessageRecord, "id" | "attachments">): AttachmentPlaceRecord[] =>
  [...new Set(attachments.map(({ id }) => id))].map((attachment_id) => ({ attachment_id, message_id }));

/** The hashes of the blobs that a message uses: its raw bytes and attachments, without duplicates. */
export function blobHashesOf({
  raw_hash,
  attachments,
}: Pick<MessageRecord, "raw_hash" | "attachments">): string[] {
  const raw = raw_hash === null ? [] : [raw_hash];
  return attachments.length === 0 ? raw : [...new Set([...raw, ...attachments.map(({ hash }) => hash)])];
}

/**
 * The searchable words of a message. A held message's text is not searchable. `text_words` are those of its text
 * where they were read before.
 */
export function searchDocument(
  message: MessageRecord,
  body: MessageBodyRecord,
  text_words?: string,
): SearchDocument {
  const held = message.labels.includes("held");
  return {
    message_id: message.id,
    account_id: message.account_id,
    inbox_id: message.inbox_id,
    thread_id: message.thread_id,
    fields: {
      subject: headerWords(message.subject),
      text: held ? [] : [text_words ?? indexedWords(message, body)],
      sender: headerWords(`${message.from_name ?? ""} ${searchedForms(message.from).join(" ")}`),
      recipients: headerWords([...message.to, ...message.cc].flatMap(searchedForms).join(" ")),
      attachments: headerWords(message.attachments.map(({ filename }) => filename).join(" ")),
    },
  };
}

const headerWords = (text: string): string[] => [joinedSearchWords(text, MAX_INDEXED_HEADER_WORDS)];
