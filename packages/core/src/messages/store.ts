import type { Work } from "../kernel/work.ts";
import { wordsOf } from "../mail/search-words.ts";
import type { MessageBodyRecord, MessageRecord } from "../model/messages.ts";
import type { StagedBlob } from "../ports/blobs.ts";
import type { SearchDocument } from "../ports/storage.ts";
import { termRecords } from "./terms.ts";

/**
 * Words of a text that a search finds; in scripts without spaces each pair of characters is one. Further ones
 * are not indexed.
 */
const indexedWords = 40_000;
const indexedHeaderWords = 500;

/**
 * Stores a message with all that is found by it: body, filter words, references, search words, uses of bytes.
 * Answers the message that holds the same client_id or content already, and `inserted: false`, without
 * storing anything.
 */
export async function storeMessage(
  work: Work,
  message: MessageRecord,
  body: MessageBodyRecord,
): Promise<{ record: MessageRecord; inserted: boolean }> {
  const stored = await work.insert("messages", message);
  if (stored.inserted) appendParts(work, message, body, []);
  return stored;
}

/**
 * Stores a message that is most likely new, and the bytes that are staged for it, without waiting for the
 * answer: a transaction that goes on in spite of `inserted: false` must fail.
 */
export function storeNewMessage(
  work: Work,
  message: MessageRecord,
  body: MessageBodyRecord,
  blobs: readonly StagedBlob[],
): Promise<{ record: MessageRecord; inserted: boolean }> {
  const stored = work.insert("messages", message);
  appendParts(work, message, body, blobs);
  return stored;
}

function appendParts(
  work: Work,
  message: MessageRecord,
  body: MessageBodyRecord,
  blobs: readonly StagedBlob[],
): void {
  for (const blob of blobs) blob.put(work);
  work.append("message_bodies", [body]);
  work.append("message_terms", termRecords(message));
  if (message.message_id !== null) {
    const { id, inbox_id, thread_id, message_id: reference } = message;
    work.append("message_references", [
      { inbox_id, reference, message_id: id, thread_id, own: message.direction === "outbound" },
    ]);
  }
  work.append(
    "blob_uses",
    hashesOf(message).map((hash) => ({ hash, message_id: message.id })),
  );
  work.index([searchDocument(message, body)]);
}

/** The bytes that a message uses: its own and its attachments', each once. */
export function hashesOf({
  raw_hash,
  attachments,
}: Pick<MessageRecord, "raw_hash" | "attachments">): string[] {
  return [...new Set([...(raw_hash === null ? [] : [raw_hash]), ...attachments.map(({ hash }) => hash)])];
}

/** What a message can be found by. A held message is found by its subject and people only. */
export function searchDocument(message: MessageRecord, body: MessageBodyRecord): SearchDocument {
  const held = message.labels.includes("held");
  return {
    message_id: message.id,
    account_id: message.account_id,
    inbox_id: message.inbox_id,
    thread_id: message.thread_id,
    fields: {
      subject: wordsOf(message.subject, indexedHeaderWords),
      text: held ? [] : wordsOf(body.text ?? message.extracted_text, indexedWords),
      sender: wordsOf(`${message.from_name ?? ""} ${message.from}`, indexedHeaderWords),
      recipients: wordsOf([...message.to, ...message.cc].join(" "), indexedHeaderWords),
      attachments: wordsOf(message.attachments.map(({ filename }) => filename).join(" "), indexedHeaderWords),
    },
  };
}
