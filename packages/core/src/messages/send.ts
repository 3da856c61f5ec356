import type { z } from "zod";
import type { InboxContext } from "../context.ts";
import { fail } from "../errors.ts";
import { stateOf } from "../inboxes/state.ts";
import { limits } from "../limits.ts";
import { settle } from "../settle.ts";
import type { Work } from "../unit-of-work.ts";
import type { AttachmentInput } from "./inputs.ts";
import { type Outgoing, queueOutgoing } from "./outgoing.ts";
import { checkLabels } from "./rules.ts";
import type { Message, MessageRecord } from "./schema.ts";
import { bodiesOf, showMessage } from "./show.ts";

type Shown = z.input<typeof Message>;

/** A mail as a caller wants it sent. */
export interface SendRequest extends Omit<Outgoing, "attachments" | "text" | "html" | "labels" | "client_id"> {
  text?: string | undefined;
  html?: string | undefined;
  labels?: string[] | undefined;
  client_id?: string | undefined;
  attachments?: AttachmentInput[] | undefined;
}

/** What a caller's own operation adds to a send. */
export interface SendExtras {
  /** Writes what belongs to the send in its transaction; not when the mail was queued before. */
  also?: (work: Work, message: MessageRecord) => Promise<void>;
  /** The operation's answer, when it is more than the message: what an Idempotency-Key replays. */
  answer?: (shown: Shown) => Record<string, unknown>;
}

/**
 * Queues a caller's mail: checks the inbox's state and the mail's limits, stores attachment bytes, then stores message and job with
 * the answer to an Idempotency-Key in one transaction. Fails with `inbox_paused`,
 * `inbox_expired`, `account_unclaimed`, `missing_body`, `no_recipients`, `too_many_recipients`, `message_too_large` or `loop_stopped`.
 */
export async function sendMail(
  ctx: InboxContext,
  request: SendRequest,
  { also = async () => {}, answer = (shown) => shown }: SendExtras = {},
): Promise<Shown> {
  checkMail(request);
  await checkMaySend(ctx);
  const { attachments = [], text = null, html = null, labels = [], client_id = null, ...rest } = request;
  const decoded = attachments.map((attachment) => ({ attachment, bytes: Buffer.from(attachment.content_base64, "base64") }));
  checkSize(
    (text?.length ?? 0) + (html?.length ?? 0),
    decoded.map(({ bytes }) => bytes),
  );
  const stored = await Promise.all(
    decoded.map(async ({ attachment: { filename, content_type = "application/octet-stream", content_id = null }, bytes }) => ({
      id: ctx.makeId("att"),
      filename,
      content_type,
      content_id: content_id?.replace(/^<|>$/g, "") ?? null,
      disposition: content_id === null ? ("attachment" as const) : ("inline" as const),
      size_bytes: bytes.length,
      hash: await ctx.blobs.put(bytes),
    })),
  );

  return ctx.transaction(async (work) => {
    const outgoing: Outgoing = { ...rest, text, html, labels, client_id, attachments: stored };
    const { record, body, inserted } = await queueOutgoing(ctx, work, ctx.inbox, outgoing, ctx.now);
    if (inserted) await also(work, record);
    const shown = { ...showMessage(record, body, ctx.options), idempotent: !inserted };
    await settle(ctx, work, answer(shown));
    return shown;
  });
}

/** The message that an earlier call with this client_id queued, as an answer. */
export async function replaySend(ctx: InboxContext, client_id: string | undefined): Promise<Shown | undefined> {
  if (client_id === undefined) return undefined;
  const { storage, inbox, options } = ctx;
  const [message] = await storage.find("messages", { where: { inbox_id: inbox.id, direction: "outbound", client_id }, limit: 1 });
  if (message === undefined) return undefined;
  const body = (await bodiesOf(storage, [message])).get(message.id);
  return body === undefined ? undefined : showMessage(message, body, options);
}

/** Whether the inbox and its account may send now. */
export async function checkMaySend({ inbox, now, options, storage }: InboxContext): Promise<void> {
  const state = stateOf(inbox, now);
  if (state === "paused") throw fail("inbox_paused");
  if (state === "expired") throw fail("inbox_expired");
  if (options.onboarding !== "claimed") return;
  const account = await storage.get("accounts", inbox.account_id);
  if (account?.claimed !== true) throw fail("account_unclaimed");
}

function checkMail({ to, cc, bcc, text, html, labels = [] }: SendRequest): void {
  const recipients = new Set([...to, ...cc, ...bcc]).size;
  if (recipients === 0) throw fail("no_recipients", { param: "to" });
  if (recipients > limits.recipients) throw fail("too_many_recipients", { param: "to" });
  if (!text && !html) throw fail("missing_body", { param: "text" });
  checkLabels(labels, "labels");
}

/** Base 64 adds a third to attachments on their way. */
function checkSize(chars: number, attachments: readonly Uint8Array[]): void {
  const bytes = attachments.reduce((sum, { length }) => sum + length, 0);
  if (chars + (bytes * 4) / 3 > limits.message_bytes) throw fail("message_too_large");
}
