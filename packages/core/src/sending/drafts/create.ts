import { askAboutDraft } from "../../approvals/index.ts";
import { fail } from "../../catalogue/errors.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { recordIdempotentAnswer } from "../../kernel/record-idempotent-answer.ts";
import { storeUploads } from "../../messages/index.ts";
import { checkSend } from "../check-send.ts";
import { messageNamed } from "../send.ts";
import type { Sent } from "../sent.ts";
import { checkMaySchedule, checkSendAt } from "./rules.ts";
import { showDraft } from "./show.ts";
import { storeDraft } from "./store.ts";
import { type DraftOrigin, type DraftWords, draftedMail } from "./write.ts";

/** A draft as a caller wants it. */
export interface NewDraft extends DraftOrigin, DraftWords {
  send_at?: string | undefined;
  client_id?: string | undefined;
}

/**
 * Writes a draft; one with a time is checked as a send is, and in approval mode its owners are asked at once.
 * Answers what the same client_id made before. Fails with `permission_denied`, `invalid_send_at`, as
 * `draftedMail` does and, with a time, as `checkSend`.
 */
export async function createDraft(
  ctx: InboxContext,
  { send_at, client_id, ...wish }: NewDraft,
): Promise<Sent> {
  const { kind, in_reply_to, forward_of, include_attachments, ...said } = wish;
  checkMaySchedule(ctx.caller.permissions, send_at !== undefined);
  checkSendAt(send_at, ctx.now);
  const mail = await draftedMail(ctx, { kind, in_reply_to, forward_of, include_attachments }, said);
  if (send_at !== undefined) await checkSend(ctx, mail);
  const { attachments: uploads = [], carried = [], text = null, html = null, labels = [], ...rest } = mail;
  const uploaded = await storeUploads(ctx, uploads, { text, html, stored: carried });
  const words = {
    ...rest,
    text,
    html,
    labels,
    client_id: client_id ?? null,
    attachments: [...carried, ...uploaded],
  };
  return ctx.transaction(async (work) => {
    const inbox = await work.get("inboxes", ctx.inbox.id);
    if (inbox === undefined) throw fail("inbox_not_found");
    const sent = await messageNamed(ctx, work, client_id);
    if (sent !== undefined) return { ...sent, idempotent: true };
    const { draft, inserted } = await storeDraft(
      ctx,
      work,
      inbox,
      { ...words, kind, forward_of, include_attachments, send_at },
      ctx.now,
    );
    const asks = inserted && send_at !== undefined && inbox.send_mode === "approval";
    const shown = showDraft(
      asks ? await askAboutDraft(ctx, work, inbox, draft, ctx.now) : draft,
      ctx.options,
    );
    await recordIdempotentAnswer(ctx, work, shown);
    return { ...shown, idempotent: !inserted };
  });
}
