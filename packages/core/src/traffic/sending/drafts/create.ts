import { fail } from "../../../catalogue/errors.ts";
import type { InboxContext } from "../../../kernel/context.ts";
import { recordIdempotentAnswer } from "../../../kernel/idempotency.ts";
import { askingKey, checkBudget } from "../../../limits/budgets/index.ts";
import { storeUploads } from "../../../mailbox/messages/index.ts";
import { attachedBy, renewUploads } from "../../../mailbox/uploads/index.ts";
import { askAboutDraft, cleanDraft } from "../../../owners/approvals/index.ts";
import type { StorageReader } from "../../../ports/storage.ts";
import { checkStillJudged, passGate } from "../../gate/index.ts";
import { checkReplied } from "../reply-guard.ts";
import { findMessageByClientId, leavingOfMail, type Sent, tried } from "../send.ts";
import { checkDraftLease } from "./lease.ts";
import { checkSendAt } from "./rules.ts";
import { showDraft } from "./show.ts";
import { storeDraft } from "./store.ts";
import { composeDraft, type DraftFields, type DraftOrigin } from "./write.ts";

/** A draft as a caller specifies it. */
export interface NewDraft extends DraftOrigin, DraftFields {
  send_at?: string | undefined;
  client_id?: string | undefined;
  allow_multiple?: boolean | undefined;
  dry_run?: boolean | undefined;
  claim_token?: string | undefined;
}

/**
 * Creates a draft. With `send_at` it is checked like a send, and in approval mode the owners are asked at
 * once. Returns the earlier result for a known client_id. Fails with `invalid_send_at`,
 * as `composeDraft` does and, with `send_at`, as `passGate` and `checkBudget` do.
 */
export async function createDraft(
  ctx: InboxContext,
  { send_at, client_id, allow_multiple, claim_token, dry_run = false, ...request }: NewDraft,
): Promise<Sent> {
  const { kind, in_reply_to, forward_of, include_attachments, ...fields } = request;
  checkSendAt(send_at, ctx.now);
  const mail = await composeDraft(ctx, { kind, in_reply_to, forward_of, include_attachments }, fields);
  if (dry_run && send_at === undefined)
    throw fail("invalid_request", {
      param: "dry_run",
      message: "A draft without send_at is only kept, so there is nothing to check.",
      fix: "Give send_at too, or check the mail with POST /api/v1/inboxes/:id/messages/send {dry_run: true}.",
    });
  const { attachments = [], ...composed } = mail;
  const { carried = [], text = null, html = null, labels = [], ...rest } = composed;
  const { given, upload_ids } = await attachedBy(ctx, attachments, {
    ...{ besides: carried.length, dry_run },
  });
  const leaving = leavingOfMail(composed, given);
  const answered = { thread_id: mail.thread_id, forward_of: forward_of ?? null };
  const checkLease = (storage: Pick<StorageReader, "get">) =>
    checkDraftLease(storage, answered, claim_token, ctx.now);
  if (dry_run) return tried(ctx, { leaving, send_at: send_at ?? null, allow_multiple, checkLease });
  const judged = send_at === undefined ? undefined : await passGate(ctx, leaving);
  const uploaded = await storeUploads(ctx, given, { ...rest, text, html, stored: carried });
  const words = {
    ...rest,
    text,
    html,
    labels,
    client_id: client_id ?? null,
    attachments: [...carried, ...uploaded],
  };
  const cleaned = judged?.asks === true ? await cleanDraft(ctx, { ...words, html_changes: [] }) : undefined;
  return ctx.transaction(async (work) => {
    const inbox = await work.get("inboxes", ctx.inbox.id);
    if (inbox === undefined) throw fail("inbox_not_found");
    await renewUploads(work, upload_ids, ctx.now);
    const sent = await findMessageByClientId(ctx, work, client_id);
    if (sent !== undefined) return { ...sent, idempotent: true };
    if (send_at !== undefined) await checkLease(work);
    const asked_by = askingKey(ctx.caller);
    const { draft, inserted } = await storeDraft(
      ctx,
      work,
      inbox,
      { ...words, kind, forward_of, include_attachments, send_at, asked_by },
      ctx.now,
    );
    if (inserted && draft.send_at !== null) {
      const { id: draft_id } = draft;
      await checkReplied(work, inbox, { in_reply_to: draft.in_reply_to, allow_multiple, draft_id });
      await checkBudget(work, asked_by, draft, ctx.now);
    }
    if (judged !== undefined) checkStillJudged(ctx.inbox, inbox);
    const asks = inserted && judged?.asks === true;
    const shown = showDraft(
      asks
        ? await askAboutDraft(ctx, work, inbox, draft, { cleaned, reasons: judged.reasons }, ctx.now)
        : draft,
      ctx.options,
    );
    await recordIdempotentAnswer(ctx, work, shown);
    return { ...shown, idempotent: !inserted };
  });
}
