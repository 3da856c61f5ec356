import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import { addToThread, phoneReference, storeMessage, threadIdFor } from "../../mailbox/messages/index.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { PhoneFacts } from "../../model/message-facts.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import type { ThreadRecord } from "../../model/threads.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** A text, call or voicemail to be stored. */
export interface PhoneMessage extends Partial<PhoneFacts> {
  /** Its id, if it has one already. */
  id?: string;
  direction: MessageRecord["direction"];
  channel: Exclude<MessageRecord["channel"], "email">;
  status: MessageRecord["status"];
  /** The inbox's number, in E.164. */
  ours: string;
  /** The number of the other side, in E.164. */
  theirs: string;
  /** Empty for texts. */
  subject?: string;
  /** The words written or spoken. */
  text: string;
  /** All its labels, including those that the service sets. */
  labels: string[];
  provider: string;
  client_id?: string | null;
  dedupe_key?: string | null;
  safety?: MessageRecord["safety"];
  outbound_findings?: MessageRecord["outbound_findings"];
  decisions?: MessageBodyRecord["decisions"];
  redacted?: boolean;
}

/** A stored text, call or voicemail. */
export interface StoredPhoneMessage {
  record: MessageRecord;
  body: MessageBodyRecord;
  /** False where a message with this client_id or dedupe_key was there before: then that is returned. */
  inserted: boolean;
}

/**
 * Stores a text, call or voicemail in the caller's transaction, with its search words, in the one thread that an
 * inbox has with each number. Nothing else is done about it: no event, no job.
 */
export async function storePhoneMessage(
  { makeId }: Pick<Services, "makeId">,
  work: Work,
  inbox: InboxRecord,
  phone: PhoneMessage,
  now: Date,
): Promise<StoredPhoneMessage> {
  const { ours, theirs, direction, text } = phone;
  const thread = await findPhoneThread(work, inbox.id, ours, theirs);
  const id = phone.id ?? makeId("msg");
  const message: MessageRecord = {
    id,
    account_id: inbox.account_id,
    inbox_id: inbox.id,
    thread_id: threadIdFor(thread, makeId),
    direction,
    channel: phone.channel,
    from: direction === "outbound" ? ours : theirs,
    from_name: direction === "outbound" ? inbox.display_name : null,
    to: [direction === "outbound" ? theirs : ours],
    cc: [],
    bcc: [],
    names: {},
    subject: phone.subject ?? "",
    extracted_text: text,
    status: phone.status,
    reply_to: null,
    in_reply_to: null,
    references: [],
    message_id: null,
    labels: phone.labels,
    provider: phone.provider,
    client_id: phone.client_id ?? null,
    created_at: iso(now),
    attachments: [],
    delivery_events: [],
    auth: null,
    safety: phone.safety ?? null,
    outbound_findings: phone.outbound_findings ?? null,
    size_bytes: text.length,
    redacted: phone.redacted ?? false,
    authenticated: false,
    dedupe_key: phone.dedupe_key ?? null,
    raw_hash: null,
    unaddressed: [],
    envelope_to: null,
    more_reply_to: [],
    owner_copies: [],
    phone: factsOf(phone),
    attention: phone.labels.includes("held") ? "held" : null,
  };
  const body: MessageBodyRecord = {
    message_id: id,
    text: null,
    html: null,
    extracted_html: null,
    headers: {},
    extraction: null,
    decisions: phone.decisions ?? null,
  };
  const { record, inserted } = await storeMessage(work, message, body);
  if (!inserted) return { record, body: (await work.get("message_bodies", record.id)) ?? body, inserted };
  await addToThread(work, thread, message, { human: false, trusted: direction === "outbound" });
  return { record, body, inserted };
}

/** The thread that an inbox has with a number; undefined before the first text, call or voicemail. */
export async function findPhoneThread(
  reader: Pick<StorageReader, "find" | "get">,
  inbox_id: string,
  ours: string,
  theirs: string,
): Promise<ThreadRecord | undefined> {
  const where = { inbox_id, reference: phoneReference(ours, theirs) };
  const [row] = await reader.find("message_references", { where, limit: 1 });
  return row === undefined ? undefined : reader.get("threads", row.thread_id);
}

function factsOf(phone: Partial<PhoneFacts>): PhoneFacts {
  return {
    provider_id: phone.provider_id ?? null,
    segments: phone.segments ?? null,
    encoding: phone.encoding ?? null,
    mode: phone.mode ?? null,
    duration_seconds: phone.duration_seconds ?? null,
    minutes_reserved: phone.minutes_reserved ?? null,
    recording_id: phone.recording_id ?? null,
    transcript: phone.transcript ?? null,
  };
}
