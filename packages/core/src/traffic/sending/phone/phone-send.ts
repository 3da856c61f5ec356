import type { ErrorCode } from "../../../catalogue/errors.ts";
import type { InboxContext, Services } from "../../../kernel/context.ts";
import { recordIdempotentAnswer } from "../../../kernel/idempotency.ts";
import type { Work } from "../../../kernel/work.ts";
import type { Outgoing } from "../../../mailbox/messages/index.ts";
import { checkThreadLease } from "../../../mailbox/threads/index.ts";
import type { DraftRecord } from "../../../model/drafts.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { CallMode } from "../../../model/message-facts.ts";
import type { OutboundFinding } from "../../../model/outbound.ts";
import { cleanDraft } from "../../../owners/approvals/index.ts";
import {
  findActiveNumber,
  findPhoneThread,
  queueCall,
  queueText,
  type StoredPhoneMessage,
  type TextRequest,
} from "../../../phone/telephony/index.ts";
import type { StorageReader } from "../../../ports/storage.ts";
import { type Leaving, passGate } from "../../gate/index.ts";
import { queueOrHold, type SendExtras, type Sent, tried } from "../send.ts";

/** A text or call as a caller wants it; `text` is the words written or spoken. */
export type PhoneAct = TextRequest & ({ kind: "sms" } | { kind: "call"; call_mode: CallMode });

/** The errors that texts and calls may answer with, besides those of their input and of their own kind. */
export const PHONE_ERRORS = [
  "international_not_allowed",
  "premium_rate_blocked",
  "phone_number_not_found",
  "inbox_paused",
  "inbox_expired",
  "recipient_blocked",
  "recipient_suppressed",
  "account_unclaimed",
  "sending_paused",
  "canary_leaked",
  "owner_required",
  "approval_limit",
  "approval_rejected",
  "plan_limit_exceeded",
  "rate_limited",
  "budget_exceeded",
  "recipient_outside_budget",
  "own_secret",
  "outbound_blocked",
] as const satisfies readonly ErrorCode[];

/** The errors of words that aren't checked with the input: those of drafts and of task replies. */
export const PHONE_WORD_ERRORS = [
  "invalid_e164",
  "missing_text",
  "text_too_long",
] as const satisfies readonly ErrorCode[];

/**
 * Queues a text or call and stores the idempotent answer, in one transaction. In approval mode it stores and returns
 * a draft instead. Fails as `passGate` and `queuePhoneAct` do, and with `owner_required`.
 */
export async function sendByPhone(
  ctx: InboxContext,
  act: PhoneAct,
  { also = async () => {}, answer = (sent) => sent, draft = {}, dry_run = false, lease }: SendExtras = {},
): Promise<Sent> {
  const { thread_id = null, claim_token } = lease ?? {};
  const checkLease = (storage: Pick<InboxContext["storage"], "get">) =>
    checkThreadLease(storage, thread_id, claim_token, ctx.now);
  if (dry_run) return tried(ctx, { leaving: leavingOf(act), send_at: null, checkLease });
  const judged = await passGate(ctx, leavingOf(act));
  const held = { kind: act.kind, ...(act.kind === "call" ? { call_mode: act.call_mode } : {}) };
  return ctx.transaction(async (work) => {
    await checkLease(work);
    const outgoing = await outgoingOf(work, ctx.inbox.id, act);
    const prepared = {
      queue: (_work: Work, inbox: InboxRecord, asked_by: string | null) =>
        queuePhoneAct(ctx, work, inbox, act, ctx.now, { asked_by, findings: judged.findings }),
      mayHold: async () => {},
      judged,
      cleaned: judged.asks ? await cleanDraft(ctx, { ...outgoing, html_changes: [] }) : undefined,
    };
    const sent = await queueOrHold(ctx, work, outgoing, prepared, { ...draft, ...held }, also);
    await recordIdempotentAnswer(ctx, work, answer(sent));
    return sent;
  });
}

/** Queues a text or call in the caller's transaction. Fails as `queueText` and `queueCall` do. */
export function queuePhoneAct(
  services: Services,
  work: Work,
  inbox: InboxRecord,
  act: PhoneAct,
  now: Date,
  send: { asked_by: string | null; payload?: Record<string, unknown>; findings?: OutboundFinding[] | null },
): Promise<StoredPhoneMessage> {
  const { to, text, client_id } = act;
  if (act.kind === "sms") return queueText(services, work, inbox, { to, text, client_id }, now, send);
  return queueCall(services, work, inbox, { to, say: text, mode: act.call_mode, client_id }, now, send);
}

/** A text or call as the gate sees it. */
export const leavingOf = ({ to, text, ...act }: PhoneAct): Leaving => ({
  ...{ to: [to], cc: [], bcc: [], text },
  ...(act.kind === "sms" ? { way: "sms" as const } : { way: "call" as const, call_mode: act.call_mode }),
});

/** The text or call that a draft becomes; undefined for a mail. */
export function phoneActOf({ kind, to, text, client_id, call_mode }: DraftRecord): PhoneAct | undefined {
  const act = { to: to[0] ?? "", text: text ?? "", client_id };
  if (kind === "sms") return { ...act, kind };
  if (kind === "call") return { ...act, kind, call_mode: call_mode ?? "say" };
  return undefined;
}

/** The id of the thread that an inbox's number has with another one; null before the first message. */
export async function phoneThreadId(
  reader: StorageReader,
  inbox_id: string,
  to: string,
): Promise<string | null> {
  const number = await findActiveNumber(reader, inbox_id);
  const thread = number && (await findPhoneThread(reader, inbox_id, number.e164, to));
  return thread?.id ?? null;
}

/** A text or call in the form of a draft. */
async function outgoingOf(
  work: Work,
  inbox_id: string,
  { to, text, client_id }: PhoneAct,
): Promise<Outgoing> {
  const thread_id = await phoneThreadId(work, inbox_id, to);
  return {
    ...{ to: [to], cc: [], bcc: [], reply_to: null, subject: "", text, html: null, headers: {}, labels: [] },
    ...{ attachments: [], client_id, in_reply_to: null, references: [], thread_id },
  };
}
