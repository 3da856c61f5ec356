import { z } from "zod";
import { type ErrorCode, fail } from "../../catalogue/errors.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { recordIdempotentAnswer } from "../../kernel/idempotency.ts";
import type { Work } from "../../kernel/work.ts";
import { askingKey, checkBudget } from "../../limits/budgets/index.ts";
import type { AttachmentInput, GivenAttachment } from "../../mailbox/messages/index.ts";
import {
  bodiesOf,
  isInline,
  isStored,
  type Outgoing,
  queueOutgoing,
  readBodies,
  showMessage,
  storeUploads,
} from "../../mailbox/messages/index.ts";
import { checkThreadLease } from "../../mailbox/threads/index.ts";
import { attachedBy, renewUploads } from "../../mailbox/uploads/index.ts";
import type { StoredAttachment } from "../../model/attachments.ts";
import { Draft } from "../../model/drafts.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { Message, type MessageBodyRecord, type MessageRecord } from "../../model/messages.ts";
import { SendCheck } from "../../model/send-checks.ts";
import { askAboutDraft, type CleanedDraft, cleanDraft } from "../../owners/approvals/index.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { checkStillJudged, type Judgement, type Leaving, passGate } from "../gate/index.ts";
import { findDraftByClientId } from "./drafts/find.ts";
import { checkSendAt } from "./drafts/rules.ts";
import { showDraft } from "./drafts/show.ts";
import { type DraftRequest, storeDraft } from "./drafts/store.ts";
import { type Trial, tryOut } from "./dry-run.ts";
import { checkReplied } from "./reply-guard.ts";

/**
 * The result of a send: the message, or the draft that waits for its time or an owner; see `object`. With `dry_run` it
 * is a `send_check`, which the type leaves out: only a caller that says so gets one.
 */
export const Sent = z.union([Message, Draft, SendCheck]) as unknown as z.ZodUnion<
  readonly [typeof Message, typeof Draft]
>;
export type Sent = z.input<typeof Sent>;

/** The errors of an operation that takes attachments. */
export const ATTACHMENT_ERRORS = [
  "invalid_attachment",
  "too_many_attachments",
  "upload_not_found",
  "upload_not_ready",
  "attachment_not_found",
  "message_held",
  "attachment_url_refused",
  "attachment_fetch_failed",
  "message_too_large",
  "account_unclaimed",
  "plan_limit_exceeded",
  "rate_limited",
  "own_secret",
  "canary_leaked",
] as const satisfies readonly ErrorCode[];

/** The errors that any operation that sends a mail may answer with, besides those of its input. */
export const SEND_ERRORS = [
  "missing_body",
  "no_recipients",
  "message_too_large",
  "protected_label",
  "recipient_blocked",
  "recipient_suppressed",
  "inbox_paused",
  "inbox_expired",
  "domain_not_verified",
  "account_unclaimed",
  "sending_paused",
  "canary_leaked",
  "loop_stopped",
  "already_replied",
  "thread_claimed",
  "draft_changed",
  "owner_required",
  "approval_limit",
  "approval_rejected",
  "plan_limit_exceeded",
  "budget_exceeded",
  "recipient_outside_budget",
  "own_secret",
  "outbound_blocked",
  ...ATTACHMENT_ERRORS,
] as const satisfies readonly ErrorCode[];

/** A mail as a caller wants it sent. */
export interface SendRequest
  extends Omit<Outgoing, "attachments" | "text" | "html" | "labels" | "client_id"> {
  text?: string | null | undefined;
  html?: string | null | undefined;
  labels?: string[] | undefined;
  client_id?: string | undefined;
  attachments?: AttachmentInput[] | undefined;
  /** Attachments that are already stored, such as those of a forwarded message. */
  carried?: readonly StoredAttachment[] | undefined;
}

/** A thread that is written in, and the token of its lease. */
export interface Lease {
  thread_id?: string | null;
  claim_token: string | undefined;
}

/** An operation's additions to a send. */
export interface SendExtras {
  /** Writes in the transaction that queues the mail; not called for a replay or a draft. */
  also?: (work: Work, message: MessageRecord) => Promise<void>;
  /** The operation's result, if it is more than the message: an Idempotency-Key replays it. */
  answer?: (sent: Sent) => Record<string, unknown>;
  /** A further reply to the same message may leave where the inbox has `reply_guard`. */
  allow_multiple?: boolean | undefined;
  /** The thread that nobody else may hold, if it isn't the mail's own, and the token of its lease. */
  lease?: Lease | undefined;
  /** It is only judged: nothing is sent, stored or counted. */
  dry_run?: boolean | undefined;
  /** Fields of the draft, if the mail becomes one. With `send_at` it waits until then. */
  draft?: Pick<
    DraftRequest,
    "kind" | "forward_of" | "include_attachments" | "send_at" | "task_id" | "task_status"
  >;
}

/**
 * Sends a mail: checks it, stores its attachments, then queues it and stores the idempotent answer in one
 * transaction. In approval mode, or with `send_at`, it stores and returns a draft instead. Fails as
 * `passGate` does, and with `message_too_large`, `loop_stopped`, `invalid_send_at`, `owner_required`,
 * `budget_exceeded` or `recipient_outside_budget`.
 */
export async function sendMail(
  ctx: InboxContext,
  request: SendRequest,
  {
    also = async () => {},
    answer = (sent) => sent,
    draft = {},
    dry_run = false,
    allow_multiple,
    lease,
  }: SendExtras = {},
): Promise<Sent> {
  checkSendAt(draft.send_at, ctx.now);
  const { thread_id: written = request.thread_id, claim_token } = lease ?? {};
  const checkLease = (storage: Pick<StorageReader, "get">) =>
    checkThreadLease(storage, written, claim_token, ctx.now);
  const { attachments = [], ...words } = request;
  const { carried = [], text = null, html = null, labels = [], client_id = null, ...rest } = words;
  const { given, upload_ids } = await attachedBy(ctx, attachments, {
    ...{ besides: carried.length, dry_run },
  });
  const leaving = leavingOfMail(words, given);
  if (dry_run) return tried(ctx, { leaving, send_at: draft.send_at ?? null, allow_multiple, checkLease });
  const judged = await passGate(ctx, leaving);
  const uploaded = await storeUploads(ctx, given, {
    ...rest,
    ...{ text, html, stored: carried },
  });
  const outgoing: Outgoing = {
    ...rest,
    text,
    html,
    labels,
    client_id,
    attachments: [...carried, ...uploaded],
  };

  const read = await readBodies(ctx, outgoing);
  const cleaned = judged.asks ? await cleanDraft(ctx, { ...outgoing, html_changes: [] }) : undefined;

  const queue: Queue = (work, inbox, asked_by) =>
    queueOutgoing(ctx, work, inbox, outgoing, read, ctx.now, { asked_by, findings: judged.findings });
  const mayHold = (work: Work) => checkThread(work, outgoing.thread_id);
  return ctx.transaction(async (work) => {
    await checkLease(work);
    await renewUploads(work, upload_ids, ctx.now);
    const prepared = { queue, mayHold, cleaned, judged, allow_multiple };
    const sent = await queueOrHold(ctx, work, outgoing, prepared, draft, also);
    await recordIdempotentAnswer(ctx, work, answer(sent));
    return sent;
  });
}

/** The answer of a dry run, in the type of sending's answers. */
export const tried = async (ctx: InboxContext, trial: Trial): Promise<Sent> =>
  (await tryOut(ctx, trial)) as unknown as Sent;

/** `dry_run` as input. */
export const DryRun = z
  .boolean()
  .default(false)
  .describe(
    "True only checks: the answer says what would come of it, and nothing is sent, stored or counted.",
  );

/** A mail as the gate judges it. */
export function leavingOfMail(
  { carried = [], ...mail }: Omit<SendRequest, "attachments">,
  given: readonly GivenAttachment[],
): Leaving {
  const [uploads, stored] = [given.filter(isInline), given.filter(isStored)];
  return { ...mail, way: "mail", uploads, stored: [...carried, ...stored] };
}

/** Queues a message in the transaction of its call. */
type Queue = (
  work: Work,
  inbox: InboxRecord,
  asked_by: string | null,
) => Promise<{ record: MessageRecord; body: MessageBodyRecord; inserted: boolean }>;

/**
 * Queues a message or stores it as a draft, depending on the inbox's mode as read in the transaction. `mayHold`
 * checks the errors with which such a draft would fail later.
 */
export async function queueOrHold(
  ctx: InboxContext,
  work: Work,
  outgoing: Outgoing,
  prepared: {
    queue: Queue;
    mayHold: (work: Work) => Promise<void>;
    cleaned: CleanedDraft | undefined;
    judged: Judgement;
    allow_multiple?: boolean | undefined;
  },
  extras: Partial<DraftRequest>,
  also: NonNullable<SendExtras["also"]>,
): Promise<Sent> {
  const { now, options } = ctx;
  const asked_by = askingKey(ctx.caller);
  const held = await findDraftByClientId(work, ctx.inbox.id, outgoing.client_id);
  if (held !== undefined)
    return {
      ...((await findMessageByClientId(ctx, work, outgoing.client_id)) ?? showDraft(held, options)),
      idempotent: true,
    };

  const inbox = await work.get("inboxes", ctx.inbox.id);
  if (inbox === undefined) throw fail("inbox_not_found");
  checkStillJudged(ctx.inbox, inbox);
  const { asks, reasons } = prepared.judged;
  const known = await findMessageByClientId(ctx, work, outgoing.client_id);
  if (known !== undefined) return { ...known, idempotent: true };
  const { allow_multiple } = prepared;
  await checkReplied(work, inbox, { in_reply_to: outgoing.in_reply_to, allow_multiple });
  if (!asks && extras.send_at == null) {
    const { record, body, inserted } = await prepared.queue(work, inbox, asked_by);
    if (inserted) await also(work, record);
    return { ...showMessage(record, body, options), idempotent: !inserted };
  }
  await prepared.mayHold(work);
  const { account_id } = inbox;
  await checkBudget(work, asked_by, { ...outgoing, account_id, send_at: extras.send_at ?? null }, now);
  const { draft } = await storeDraft(ctx, work, inbox, { ...outgoing, ...extras, asked_by }, now);
  return showDraft(
    asks ? await askAboutDraft(ctx, work, inbox, draft, { cleaned: prepared.cleaned, reasons }, now) : draft,
    options,
  );
}

/** A mail that could not be sent is not kept as a draft either. Fails with `loop_stopped`. */
async function checkThread(work: Work, thread_id: string | null): Promise<void> {
  const thread = thread_id === null ? undefined : await work.get("threads", thread_id);
  if (thread?.loop_stopped_at != null) throw fail("loop_stopped");
}

/** The result of an earlier call with this client_id: the message, else the draft that is still waiting. */
export async function replaySend(
  ctx: InboxContext,
  client_id: string | undefined,
): Promise<Sent | undefined> {
  const message = await findMessageByClientId(ctx, ctx.storage, client_id);
  if (message !== undefined) return message;
  const draft = await findDraftByClientId(ctx.storage, ctx.inbox.id, client_id);
  return draft === undefined ? undefined : showDraft(draft, ctx.options);
}

/** The message that was queued with this client_id. */
export async function findMessageByClientId(
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
