import { fail } from "../../../catalogue/errors.ts";
import type { InboxContext } from "../../../kernel/context.ts";
import { recordIdempotentAnswer } from "../../../kernel/idempotency.ts";
import type { Work } from "../../../kernel/work.ts";
import { askingKey, checkBudget } from "../../../limits/budgets/index.ts";
import { checkCanaries } from "../../../mailbox/canaries/index.ts";
import { type ReadBodies, readBodies, showMessage } from "../../../mailbox/messages/index.ts";
import type { DraftRecord } from "../../../model/drafts.ts";
import { iso } from "../../../model/fields.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import {
  askAboutDraft,
  type CleanedDraft,
  cleanDraft,
  digestOfDraft,
  isApproved,
  mailDigest,
  voidApprovals,
} from "../../../owners/approvals/index.ts";
import type { Sent } from "../send.ts";
import { checkSendDraft } from "./check-draft.ts";
import { findDraft } from "./find.ts";
import { checkMaySend, checkNotSending } from "./rules.ts";
import { sendDraft } from "./send-draft.ts";
import { showDraft } from "./show.ts";

/**
 * Sends a draft now, whatever its schedule, and returns its message; in approval mode asks the owners and
 * returns the draft. Fails with `draft_not_found`, `permission_denied`, `draft_sending`, `draft_changed`,
 * `loop_stopped`, `owner_required` or as `checkSendDraft` and `checkBudget` do.
 */
export async function sendDraftNow(ctx: InboxContext, draft_id: string): Promise<Sent> {
  const before = await findDraft(ctx.storage, ctx.inbox.id, draft_id);
  checkMaySend(ctx.caller.permissions, before);
  checkNotSending(before);
  await checkSendDraft(ctx, before);
  await checkCanaries(ctx, ctx.inbox, before, ctx.now);
  const read = await readBodies(ctx, before);
  const asks = ctx.inbox.send_mode === "approval";
  const cleaned = asks ? await cleanDraft(ctx, before) : undefined;
  return ctx.transaction(async (work) => {
    const inbox = await work.get("inboxes", ctx.inbox.id);
    if (inbox === undefined) throw fail("inbox_not_found");
    const current = await findDraft(work, ctx.inbox.id, draft_id);
    checkNotSending(current);
    if (mailDigest(inbox, current) !== mailDigest(inbox, before)) throw fail("draft_changed");
    const sent = await sendOrAsk(ctx, work, inbox, await withoutTime(work, current, ctx.now), {
      read,
      cleaned,
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
  { read, cleaned }: { read: ReadBodies; cleaned: CleanedDraft | undefined },
): Promise<Sent> {
  const { now, options } = ctx;
  const approval = draft.approval_id === null ? undefined : await work.get("approvals", draft.approval_id);
  // Without an approval there is nothing to compare the whole mail with.
  const approved =
    approval !== undefined && isApproved(draft, approval, await digestOfDraft(ctx, work, inbox, draft));
  const asked_by = askingKey(ctx.caller);
  if (inbox.send_mode === "approval" && !approved) {
    await checkBudget(work, asked_by, draft, now);
    const asked = await askAboutDraft(ctx, work, inbox, draft, cleaned, now);
    await work.update("drafts", { id: draft.id }, { asked_by_key_id: asked_by });
    return showDraft(asked, options);
  }
  await voidApprovals(work, draft.id, now);
  const { record, body } = await sendDraft(ctx, work, inbox, draft, now, {
    keep: approved,
    read,
    asked_by,
  });
  return showMessage(record, body, options);
}

/** Removes the draft's schedule if it lies in the future. */
async function withoutTime(work: Work, draft: DraftRecord, now: Date): Promise<DraftRecord> {
  if (draft.send_at === null || draft.send_at <= iso(now)) return draft;
  await work.delete("jobs", { subject_id: draft.id, kind: "draft.send" });
  const [freed] = await work.update("drafts", { id: draft.id }, { send_at: null, send_status: "draft" });
  return freed ?? draft;
}
