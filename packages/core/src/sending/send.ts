import { askAboutDraft } from "../approvals/index.ts";
import { fail } from "../catalogue/errors.ts";
import type { InboxContext } from "../kernel/context.ts";
import { recordIdempotentAnswer } from "../kernel/record-idempotent-answer.ts";
import type { Work } from "../kernel/work.ts";
import type { AttachmentInput } from "../messages/index.ts";
import { bodiesOf, type Outgoing, queueOutgoing, showMessage, storeUploads } from "../messages/index.ts";
import type { StoredAttachment } from "../model/attachments.ts";
import type { MessageRecord } from "../model/messages.ts";
import type { StorageReader } from "../ports/storage.ts";
import { checkSend } from "./check-send.ts";
import { draftNamed } from "./drafts/find.ts";
import { checkSendAt } from "./drafts/rules.ts";
import { showDraft } from "./drafts/show.ts";
import { type DraftRequest, storeDraft } from "./drafts/store.ts";
import type { Sent } from "./sent.ts";

/** A mail as a caller wants it sent. */
export interface SendRequest
  extends Omit<Outgoing, "attachments" | "text" | "html" | "labels" | "client_id"> {
  text?: string | null | undefined;
  html?: string | null | undefined;
  labels?: string[] | undefined;
  client_id?: string | undefined;
  attachments?: AttachmentInput[] | undefined;
  /** Attachments whose bytes are stored already, such as those of a message that is passed on. */
  carried?: readonly StoredAttachment[] | undefined;
}

/** What a caller's own operation adds to a send. */
export interface SendExtras {
  /**
   * Writes what belongs to the send in its transaction; not when the mail was queued before, nor while it is
   * held.
   */
  also?: (work: Work, message: MessageRecord) => Promise<void>;
  /** The operation's answer, when it is more than the message: what an Idempotency-Key replays. */
  answer?: (sent: Sent) => Record<string, unknown>;
  /** What the draft says of itself if the mail is held. With `send_at` it is held until then. */
  draft?: Pick<
    DraftRequest,
    "kind" | "forward_of" | "include_attachments" | "send_at" | "task_id" | "task_status"
  >;
}

/**
 * Sends a caller's mail: checks it, stores attachment bytes, then stores message and job with the answer to
 * an Idempotency-Key in one transaction. In approval mode, or with a time, it stores a draft instead and
 * answers that (decisions, section 8). Fails as `checkSend` does, and with `message_too_large`,
 * `loop_stopped`, `invalid_send_at` or `owner_required`.
 */
export async function sendMail(
  ctx: InboxContext,
  request: SendRequest,
  { also = async () => {}, answer = (sent) => sent, draft = {} }: SendExtras = {},
): Promise<Sent> {
  checkSendAt(draft.send_at, ctx.now);
  await checkSend(ctx, request);
  const {
    attachments = [],
    carried = [],
    text = null,
    html = null,
    labels = [],
    client_id = null,
    ...rest
  } = request;
  const uploaded = await storeUploads(ctx, attachments, { text, html, stored: carried });
  const outgoing: Outgoing = {
    ...rest,
    text,
    html,
    labels,
    client_id,
    attachments: [...carried, ...uploaded],
  };

  return ctx.transaction(async (work) => {
    const sent = await sendOrHold(ctx, work, outgoing, draft, also);
    await recordIdempotentAnswer(ctx, work, answer(sent));
    return sent;
  });
}

/**
 * Queues the mail or holds it, by the inbox as it is within the transaction: none slips past a mode that was
 * just set.
 */
async function sendOrHold(
  ctx: InboxContext,
  work: Work,
  outgoing: Outgoing,
  extras: NonNullable<SendExtras["draft"]>,
  also: NonNullable<SendExtras["also"]>,
): Promise<Sent> {
  const { now, options } = ctx;
  const held = await draftNamed(work, ctx.inbox.id, outgoing.client_id);
  if (held !== undefined)
    return {
      ...((await messageNamed(ctx, work, outgoing.client_id)) ?? showDraft(held, options)),
      idempotent: true,
    };

  const inbox = await work.get("inboxes", ctx.inbox.id);
  if (inbox === undefined) throw fail("inbox_not_found");
  if (inbox.send_mode === "direct" && extras.send_at == null) {
    const { record, body, inserted } = await queueOutgoing(ctx, work, inbox, outgoing, now);
    if (inserted) await also(work, record);
    return { ...showMessage(record, body, options), idempotent: !inserted };
  }
  const known = await messageNamed(ctx, work, outgoing.client_id);
  if (known !== undefined) return { ...known, idempotent: true };
  await checkThread(work, outgoing.thread_id);
  const { draft } = await storeDraft(ctx, work, inbox, { ...outgoing, ...extras }, now);
  return showDraft(
    inbox.send_mode === "approval" ? await askAboutDraft(ctx, work, inbox, draft, now) : draft,
    options,
  );
}

/** A mail that could not be sent is not held either. Fails with `loop_stopped`. */
async function checkThread(work: Work, thread_id: string | null): Promise<void> {
  const thread = thread_id === null ? undefined : await work.get("threads", thread_id);
  if (thread?.loop_stopped_at != null) throw fail("loop_stopped");
}

/**
 * What an earlier call with this client_id made, as an answer: the message, else the draft that is still
 * waiting.
 */
export async function replaySend(
  ctx: InboxContext,
  client_id: string | undefined,
): Promise<Sent | undefined> {
  const message = await messageNamed(ctx, ctx.storage, client_id);
  if (message !== undefined) return message;
  const draft = await draftNamed(ctx.storage, ctx.inbox.id, client_id);
  return draft === undefined ? undefined : showDraft(draft, ctx.options);
}

/** The message that was queued with a client_id. */
export async function messageNamed(
  { inbox, options }: Pick<InboxContext, "inbox" | "options">,
  storage: StorageReader,
  client_id: string | null | undefined,
): Promise<Sent | undefined> {
  if (client_id == null) return undefined;
  const where = { inbox_id: inbox.id, direction: "outbound" as const, client_id };
  const [message] = await storage.find("messages", { where, limit: 1 });
  if (message === undefined) return undefined;
  const body = (await bodiesOf(storage, [message])).get(message.id);
  return body === undefined ? undefined : showMessage(message, body, options);
}
