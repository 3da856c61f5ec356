import { hash } from "node:crypto";
import type { z } from "zod";
import { fail } from "../../../catalogue/errors.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import { checkNotSuspended } from "../../../kernel/access/suspended.ts";
import { notFound } from "../../../kernel/gate.ts";
import { stateOf } from "../../../kernel/inbox/state.ts";
import { countOrFail } from "../../../kernel/rate.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import {
  addToThread,
  bodyBytes,
  checkMessageBytes,
  findBody,
  isStored,
  largestField,
  makeRoom,
  replyReferences,
  replySubject,
  showMessage,
  storeMessage,
  textWords,
  threadIdFor,
  truncate,
} from "../../../mailbox/messages/index.ts";
import { type Attaching, attachedBy, renewUploads } from "../../../mailbox/uploads/index.ts";
import type { StoredAttachment } from "../../../model/attachments.ts";
import { iso } from "../../../model/fields.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import { NO_AUTH } from "../../../model/message-facts.ts";
import type { MessageBodyRecord, MessageRecord } from "../../../model/messages.ts";
import type { OwnerMessage } from "../../../model/owner-messages.ts";
import type { ParsedAttachment } from "../../../model/parsed-mail.ts";
import type { ThreadRecord } from "../../../model/threads.ts";
import { addTask, openTask, showTask } from "../../../owners/tasks/index.ts";
import type { StorageReader } from "../../../ports/storage.ts";
import { publishReceived } from "../publish-received.ts";
import { readOwnWords } from "../reading/read-words.ts";
import { stageAttachments } from "../received-message.ts";
import { findConversation, keepConversation, type Writer } from "./conversation.ts";
import { subjectOf } from "./rules.ts";

/** A person's message to an agent. */
export interface OwnerMessageRequest {
  text: string;
  upload_ids: string[];
  task_id: string | undefined;
  client_id: string | undefined;
}

type Written = z.input<typeof OwnerMessage>;

const REASON = "owner: a person in charge wrote it in their session";
const AUTHENTICATION = ["its author was signed in when they wrote it"];
const HOUR_MS = 3600_000;

/**
 * Stores what a person writes to an agent in their session: the message, its trusted task and their events in one
 * transaction. The same `client_id` again answers the first. Fails with `account_suspended`, `inbox_paused`,
 * `inbox_expired`, `task_not_found`, `rate_limited`, `message_too_large`, `plan_limit_exceeded`, and as `attachedBy` does.
 */
export async function writeToAgent(
  ctx: Attaching,
  writer: Writer,
  { text, upload_ids, task_id, client_id }: OwnerMessageRequest,
): Promise<Written> {
  const { inbox, storage, now } = ctx;
  await checkNotSuspended(ctx, inbox.account_id);
  const dedupe_key = client_id === undefined ? null : keyOf(writer, client_id);
  const earlier = dedupe_key === null ? undefined : await writtenBefore(ctx, storage, dedupe_key);
  if (earlier !== undefined) return earlier;
  checkOpen(inbox, now);
  if (task_id !== undefined) await findConversation(storage, inbox, writer, task_id);
  const files = await filesOf(ctx, text, upload_ids);
  await countOrFail(
    storage,
    {
      name: `owner-messages:${inbox.id}:${writer.email}`,
      max: LIMITS.owner_messages_per_hour,
      window_ms: HOUR_MS,
    },
    now,
  );

  const words = await readOwnWords(ctx, inbox, { text, files, email: writer.email }, now);
  const { attachments, staged } = await stageAttachments(ctx, words);
  const size_bytes = attachments.reduce(
    (sum, each) => sum + each.size_bytes,
    bodyBytes({ text: words.text }),
  );
  await makeRoom(ctx, inbox.account_id, size_bytes, now);
  const text_words = await textWords(ctx, words.text);
  const stored = await unitOfWork(ctx, inbox.account_id, now, async (work) => {
    const current = await work.get("inboxes", inbox.id);
    if (current === undefined) throw notFound("inbox_not_found", "inb", inbox.id);
    checkOpen(current, now);
    const thread = task_id === undefined ? undefined : await findConversation(work, current, writer, task_id);
    const last = thread === undefined ? undefined : await work.get("messages", thread.last_message_id);
    const message = messageOf(ctx, writer, { thread, last, words, attachments, size_bytes, dedupe_key });
    const task = openTask(
      ctx.makeId,
      message,
      {
        trusted: true,
        owner_id: writer.owner?.id ?? null,
        update_task_id: thread?.update_task_id ?? null,
      },
      now,
    );
    const body = bodyOf(message, task.id);
    const { inserted } = await storeMessage(work, message, body, text_words);
    // Read here: once the transaction has ended, the first may be deleted.
    if (!inserted) return { first: await writtenBefore(ctx, work, dedupe_key ?? "") };
    for (const blob of staged) blob.put(work);
    await renewUploads(work, upload_ids, now);
    const facts = { human: true, trusted: true, update_task_id: task.id };
    await addToThread(work, thread, message, facts);
    await keepConversation(work, writer, { task, message });
    publishReceived(work, message, {
      ...{ held: false, owner: writer.owner, task_id: task.id },
      update_task_id: thread?.update_task_id ?? null,
    });
    addTask(work, task);
    return { message, body, task };
  });
  if ("first" in stored) {
    if (stored.first === undefined) throw fail("message_not_found");
    return stored.first;
  }
  const { message, body, task } = stored;
  return { message: showMessage(message, body, ctx.options), task: showTask(task, message) };
}

/** The message that the same person wrote with the same `client_id`, with its task. */
async function writtenBefore(
  { inbox, options }: Attaching,
  storage: StorageReader,
  dedupe_key: string,
): Promise<Written | undefined> {
  const [message] = await storage.find("messages", { where: { inbox_id: inbox.id, dedupe_key }, limit: 1 });
  if (message === undefined) return undefined;
  const [task] = await storage.find("tasks", { where: { message_id: message.id }, limit: 1 });
  if (task === undefined) return undefined;
  const shown = showMessage(message, await findBody(storage, message), options);
  return { message: shown, task: showTask(task, message), idempotent: true };
}

/** A person's own ids never meet those of agents: nobody else can take one first. */
const keyOf = ({ email }: Writer, client_id: string): string =>
  hash("sha256", `console\n${email}\n${client_id}`, "base64url").slice(0, 22);

function checkOpen(inbox: InboxRecord, now: Date): void {
  const state = stateOf(inbox, now);
  if (state === "paused") throw fail("inbox_paused");
  if (state === "expired") throw fail("inbox_expired");
}

/** The files of uploads, with their bytes. */
async function filesOf(ctx: Attaching, text: string, upload_ids: string[]): Promise<ParsedAttachment[]> {
  const inputs = upload_ids.map((upload_id) => ({ upload_id }));
  const { given } = await attachedBy(ctx, inputs, { param: "upload_ids" });
  const stored = given.filter((each): each is StoredAttachment => isStored(each));
  const attached = stored.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  const of_files = largestField({ text }, attached) === "attachments";
  checkMessageBytes(attached + bodyBytes({ text }), of_files ? "upload_ids" : "text");
  return Promise.all(
    stored.map(async ({ filename, content_type, parameters = {}, content_id, disposition, hash: of }) => {
      const bytes = await ctx.blobs.get(of);
      if (bytes === undefined) throw fail("upload_not_found", { param: "upload_ids" });
      return { filename, content_type, parameters, content_id, disposition, bytes };
    }),
  );
}

function messageOf(
  { inbox, now, makeId }: Attaching,
  writer: Writer,
  parts: {
    thread: ThreadRecord | undefined;
    last: MessageRecord | undefined;
    words: { text: string; redacted: boolean };
    attachments: StoredAttachment[];
    size_bytes: number;
    dedupe_key: string | null;
  },
): MessageRecord {
  const { thread, last, words, attachments, size_bytes, dedupe_key } = parts;
  const id = makeId("msg");
  const subject =
    thread === undefined
      ? subjectOf(words.text)
      : truncate(replySubject(thread.subject), LIMITS.subject_chars);
  return {
    ...{ id, account_id: inbox.account_id, inbox_id: inbox.id },
    thread_id: threadIdFor(thread, makeId),
    ...{ direction: "inbound", channel: "console", status: "received" },
    ...{ from: writer.address, from_name: null, to: [inbox.email], cc: [], bcc: [], names: {} },
    ...{ unaddressed: [], envelope_to: null, reply_to: null, more_reply_to: [], owner_copies: [] },
    ...{ subject, extracted_text: words.text, redacted: words.redacted, attachments, size_bytes },
    ...(last === undefined ? { in_reply_to: null, references: [] } : replyReferences(last)),
    message_id: `<${id.slice("msg_".length)}@${inbox.domain}>`,
    labels: ["received", "unread", "owner"],
    ...{ provider: null, client_id: null, delivery_events: [], created_at: iso(now) },
    ...{ auth: NO_AUTH, authenticated: true, safety: null, outbound_findings: null },
    ...{ dedupe_key, raw_hash: null, phone: null, attention: null },
  };
}

const bodyOf = ({ id }: MessageRecord, task_id: string): MessageBodyRecord => ({
  ...{ message_id: id, text: null, html: null, extracted_html: null, headers: {}, extraction: null },
  decisions: {
    ...{ origin: "console", authentication: AUTHENTICATION, proof: "person" },
    automatic: { strong: null, weak: null },
    task: { made: true, reason: REASON, task_id },
  },
});
