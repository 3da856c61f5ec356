import { fail } from "../../../catalogue/errors.ts";
import type { InboxContext } from "../../../kernel/context.ts";
import { recordIdempotentAnswer } from "../../../kernel/idempotency.ts";
import type { Work } from "../../../kernel/work.ts";
import { askingKey, checkBudget } from "../../../limits/budgets/index.ts";
import { type ReadBodies, readBodies, showMessage } from "../../../mailbox/messages/index.ts";
import type { DraftRecord } from "../../../model/drafts.ts";
import { iso } from "../../../model/fields.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import {
  askAboutDraft,
  type CleanedDraft,
  cleanDraft,
  isApproved,
  mailDigest,
  voidApprovals,
} from "../../../owners/approvals/index.ts";
import { checkStillJudged, type Judgement, passGate } from "../../gate/index.ts";
import { type Sent, tried } from "../send.ts";
import { findDraft } from "./find.ts";
import { leavingOfDraft } from "./leaving.ts";
import { checkMaySend, checkNotSending } from "./rules.ts";
import { sendDraft } from "./send-draft.ts";
import { showDraft } from "./show.ts";

/**
 * Sends a draft now, whatever its schedule, and returns its message; in approval mode asks the owners and
 * returns the draft. Fails with `draft_not_found`, `permission_denied`, `draft_sending`, `draft_changed`,
 * `loop_stopped`, `owner_required` or as `passGate` and `checkBudget` do.
 */
export async function sendDraftNow(
  ctx: InboxContext,
  draft_id: string,
  { dry_run = false } = {},
): Promise<Sent> {
  const before = await findDraft(ctx.storage, ctx.inbox.id, draft_id);
  checkMaySend(ctx.caller.permissions, before);
  checkNotSending(before);
  const seen =
    before.approval_id === null ? undefined : await ctx.storage.get("approvals", before.approval_id);
  const approved = isApproved(ctx.inbox, atOnce(before, ctx.now), seen);
  if (dry_run)
    return tried(ctx, { leaving: leavingOfDraft(before), send_at: null, approved, is_draft: true });
  const judged = await passGate(ctx, leavingOfDraft(before), { approved });
  const read = await readBodies(ctx, before);
  const cleaned = judged.asks ? await cleanDraft(ctx, before) : undefined;
  return ctx.transaction(async (work) => {
    const inbox = await work.get("inboxes", ctx.inbox.id);
    if (inbox === undefined) throw fail("inbox_not_found");
    checkStillJudged(ctx.inbox, inbox);
    const current = await findDraft(work, ctx.inbox.id, draft_id);
    checkNotSending(current);
    if (mailDigest(inbox, current) !== mailDigest(inbox, before)) throw fail("draft_changed");
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
  const approved = approval !== undefined && isApproved(inbox, draft, approval);
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
