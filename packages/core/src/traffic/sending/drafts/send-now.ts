import { fail } from "../../../catalogue/errors.ts";
import type { InboxContext } from "../../../kernel/context.ts";
import { notFound } from "../../../kernel/gate.ts";
import { recordIdempotentAnswer } from "../../../kernel/idempotency.ts";
import type { Work } from "../../../kernel/work.ts";
import { askingKey, checkBudget } from "../../../limits/budgets/index.ts";
import { bodiesOf, type ReadBodies, readBodies, showMessage } from "../../../mailbox/messages/index.ts";
import type { DraftRecord } from "../../../model/drafts.ts";
import { iso } from "../../../model/fields.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import {
  askAboutDraft,
  type CleanedDraft,
  cleanDraft,
  isApproved,
  mailDigest,
  senderOf,
  voidApprovals,
} from "../../../owners/approvals/index.ts";
import type { StorageReader } from "../../../ports/storage.ts";
import { checkStillJudged, type Judgement, passGate } from "../../gate/index.ts";
import { checkReplied } from "../reply-guard.ts";
import { type Sent, tried } from "../send.ts";
import { findSent } from "./find.ts";
import { checkDraftLease } from "./lease.ts";
import { leavingOfDraft } from "./leaving.ts";
import { checkMaySend, checkNotSending } from "./rules.ts";
import { sendDraft } from "./send-draft.ts";
import { showDraft } from "./show.ts";

/**
 * Sends a draft now, whatever its schedule, and returns its message; in approval mode asks the owners and
 * returns the draft. A draft that left within the last 24 hours answers its message again. Fails with
 * `draft_not_found`, `permission_denied`, `draft_sending`, `draft_changed`, `loop_stopped`, `owner_required` or as
 * `passGate` and `checkBudget` do.
 */
export async function sendDraftNow(
  ctx: InboxContext,
  draft_id: string,
  {
    dry_run = false,
    allow_multiple = false,
    claim_token,
  }: { dry_run?: boolean; allow_multiple?: boolean; claim_token?: string | undefined } = {},
): Promise<Sent> {
  const found = await draftOrSent(ctx, ctx.storage, draft_id);
  if ("sent" in found) return found.sent;
  const { draft: before } = found;
  checkMaySend(ctx.caller.permissions, before);
  checkNotSending(before);
  const seen =
    before.approval_id === null ? undefined : await ctx.storage.get("approvals", before.approval_id);
  const approved = isApproved(await senderOf(ctx, ctx.storage, ctx.inbox), atOnce(before, ctx.now), seen);
  if (dry_run)
    return tried(ctx, {
      ...{ leaving: leavingOfDraft(before), send_at: null, approved, is_draft: true },
      ...{ draft_id: before.id, allow_multiple },
      checkLease: (storage) => checkDraftLease(storage, before, claim_token, ctx.now),
    });
  const judged = await passGate(ctx, leavingOfDraft(before), { approved });
  const read = await readBodies(ctx, before);
  const cleaned = judged.asks ? await cleanDraft(ctx, before) : undefined;
  return ctx.transaction(async (work) => {
    const inbox = await work.get("inboxes", ctx.inbox.id);
    if (inbox === undefined) throw fail("inbox_not_found");
    checkStillJudged(ctx.inbox, inbox);
    const present = await draftOrSent(ctx, work, draft_id);
    if ("sent" in present) return present.sent;
    const { draft: current } = present;
    checkNotSending(current);
    if (!approved)
      await checkReplied(work, inbox, {
        in_reply_to: current.in_reply_to,
        allow_multiple,
        draft_id: current.id,
      });
    await checkDraftLease(work, current, claim_token, ctx.now);
    const sender = await senderOf(ctx, work, inbox);
    if (mailDigest(sender, current) !== mailDigest(sender, before)) throw fail("draft_changed");
    const sent = await sendOrAsk(ctx, work, inbox, await withoutTime(work, current, ctx.now), {
      ...{ read, cleaned, judged, seen_approved: approved },
    });
    await recordIdempotentAnswer(ctx, work, sent);
    return sent;
  });
}

async function sendOrAsk(
  ctx: InboxContext,
  work: Work,
  inbox: InboxRecord,
  draft: DraftRecord,
  {
    read,
    cleaned,
    judged,
    seen_approved,
  }: {
    read: ReadBodies;
    cleaned: CleanedDraft | undefined;
    judged: Judgement;
    seen_approved: boolean;
  },
): Promise<Sent> {
  const { now, options } = ctx;
  const approval = draft.approval_id === null ? undefined : await work.get("approvals", draft.approval_id);
  // Without an approval there is nothing to compare the whole mail with.
  const approved = approval !== undefined && isApproved(await senderOf(ctx, work, inbox), draft, approval);
  // What was approved was looked at less closely.
  if (approved !== seen_approved) throw fail("draft_changed");
  const asked_by = askingKey(ctx.caller);
  if (judged.asks && !approved) {
    await checkBudget(work, asked_by, draft, now);
    const asked = await askAboutDraft(ctx, work, inbox, draft, { cleaned, reasons: judged.reasons }, now);
    await work.update("drafts", { id: draft.id }, { asked_by_key_id: asked_by });
    return showDraft(asked, options);
  }
  await voidApprovals(work, draft.id, now);
  const { record, body } = await sendDraft(ctx, work, inbox, draft, now, {
    keep: approved,
    findings: judged.findings,
    read,
    asked_by,
  });
  return showMessage(record, body, options);
}

/**
 * A draft, or the message that it has become, for callers who might have sent it. Fails with `draft_not_found` and
 * `permission_denied`.
 */
async function draftOrSent(
  { inbox, caller, now, options }: InboxContext,
  storage: StorageReader,
  draft_id: string,
): Promise<{ draft: DraftRecord } | { sent: Sent }> {
  const draft = await storage.get("drafts", draft_id);
  if (draft?.inbox_id === inbox.id) return { draft };
  const sent = await findSent(storage, { inbox_id: inbox.id, account_id: inbox.account_id }, draft_id, now);
  const body =
    sent === undefined ? undefined : (await bodiesOf(storage, [sent.message])).get(sent.message.id);
  if (sent === undefined || body === undefined) throw notFound("draft_not_found", "dft", draft_id);
  checkMaySend(caller.permissions, sent);
  return { sent: { ...showMessage(sent.message, body, options), idempotent: true } };
}

/** The draft as it is sent now: without a time that lies in the future. */
const atOnce = (draft: DraftRecord, now: Date): DraftRecord =>
  draft.send_at !== null && draft.send_at > iso(now) ? { ...draft, send_at: null } : draft;

/** Removes the draft's schedule if it lies in the future. */
async function withoutTime(work: Work, draft: DraftRecord, now: Date): Promise<DraftRecord> {
  if (draft.send_at === null || draft.send_at <= iso(now)) return draft;
  await work.delete("jobs", { subject_id: draft.id, kind: "draft.send" });
  const [freed] = await work.update("drafts", { id: draft.id }, { send_at: null, send_status: "draft" });
  return freed ?? draft;
}
