import type { z } from "zod";
import { fail } from "../../../catalogue/errors.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import type { InboxContext } from "../../../kernel/context.ts";
import { notFound } from "../../../kernel/gate.ts";
import { askingKey, checkBudget } from "../../../limits/budgets/index.ts";
import type { AttachmentInput } from "../../../mailbox/messages/index.ts";
import { storeUploads } from "../../../mailbox/messages/index.ts";
import { attachedBy, renewUploads } from "../../../mailbox/uploads/index.ts";
import type { StoredAttachment } from "../../../model/attachments.ts";
import type { Draft, DraftRecord } from "../../../model/drafts.ts";
import { iso } from "../../../model/fields.ts";
import { namesOf } from "../../../model/mailbox.ts";
import { voidApprovals } from "../../../owners/approvals/index.ts";
import type { StorageReader } from "../../../ports/storage.ts";
import { phoneActOf, phoneThreadId } from "../phone/phone-send.ts";
import { checkReplied } from "../reply-guard.ts";
import { findDraft } from "./find.ts";
import { checkDraftLease } from "./lease.ts";
import {
  afterEdit,
  checkMailRecipients,
  checkMaySchedule,
  checkNotSending,
  checkPhoneChange,
  checkSendAt,
} from "./rules.ts";
import { showDraft } from "./show.ts";
import { addBlobUses, removeBlobUses } from "./store.ts";
import { checkDraft, type DraftFields } from "./write.ts";

/** The changes to a draft; fields left out stay as they are. */
export interface DraftChange extends Omit<DraftFields, "attachments"> {
  add_attachments: AttachmentInput[];
  remove_attachments: string[];
  allow_multiple?: boolean | undefined;
  /** Null removes the time. */
  send_at?: string | null | undefined;
  claim_token?: string | undefined;
}

/**
 * Changes a draft; this voids its approval requests. Fails with `missing_change`,
 * `invalid_send_at`, `permission_denied`, `draft_sending`, `attachment_not_found`, `invalid_attachment`,
 * `message_too_large` or as `checkDraft` and, with `send_at`, `checkBudget` do.
 */
export async function changeDraft(
  ctx: InboxContext,
  draft_id: string,
  change: DraftChange,
): Promise<z.input<typeof Draft>> {
  const { add_attachments, remove_attachments, send_at, names = {}, ...more } = change;
  const { allow_multiple, claim_token, ...words } = more;
  const named = Object.fromEntries(
    Object.entries(words).filter(([, value]) => value !== undefined),
  ) as Partial<DraftRecord>;
  const touched = [
    ...Object.keys(named),
    ...(add_attachments.length > 0 ? ["add_attachments"] : []),
    ...(remove_attachments.length > 0 ? ["remove_attachments"] : []),
    ...(send_at === undefined ? [] : ["send_at"]),
  ];
  if (touched.length === 0) throw fail("missing_change");
  checkSendAt(send_at, ctx.now);
  /** Checks that it may be changed, and returns its time. */
  const timeOf = async (storage: StorageReader, draft: DraftRecord): Promise<string | null> => {
    checkNotSending(draft);
    const time = send_at === undefined ? draft.send_at : send_at;
    if (time !== null) await checkDraftLease(storage, draft, claim_token, ctx.now);
    checkMaySchedule(ctx.caller.permissions, time !== null || draft.send_status === "scheduled");
    return time;
  };
  const before = await findDraft(ctx.storage, ctx.inbox.id, draft_id);
  // Before anything is fetched or stored; the transaction checks it again.
  await timeOf(ctx.storage, before);
  const stored = without(before.attachments, remove_attachments);
  const { given, upload_ids } = await attachedBy(ctx, add_attachments, {
    ...{ param: "add_attachments", besides: stored.length },
  });
  const uploaded = await storeUploads(ctx, given, { ...before, ...named, stored });

  return ctx.transaction(async (work) => {
    const current = await findDraft(work, ctx.inbox.id, draft_id);
    const time = await timeOf(work, current);
    const inbox = await work.get("inboxes", ctx.inbox.id);
    if (inbox === undefined) throw fail("inbox_not_found");
    const asked_by_key_id = askingKey(ctx.caller);
    const attachments = [...without(current.attachments, remove_attachments), ...uploaded];
    if (attachments.length > LIMITS.attachments)
      throw fail("too_many_attachments", { param: "add_attachments" });
    const act = phoneActOf({ ...current, ...named });
    if (act === undefined) checkMailRecipients(words.to ?? []);
    else checkPhoneChange(touched, { kind: act.kind, to: named.to ?? current.to, text: act.text });
    checkDraft({ ...current, ...named });

    await renewUploads(work, upload_ids, ctx.now);
    await voidApprovals(work, draft_id, ctx.now);
    await work.delete("jobs", { subject_id: draft_id, kind: "draft.send" });
    await removeBlobUses(work, current);
    // Changes made to the previous HTML don't apply to the new one.
    const html_changes = named.html === undefined ? current.html_changes : [];
    const { to, cc, bcc, reply_to } = { ...current, ...named };
    // A name is kept only for an address that isn't given anew.
    const renamed = [...(words.to ?? []), ...(words.cc ?? []), ...(words.bcc ?? []), words.reply_to ?? ""];
    const kept = Object.entries(current.names).filter(([address]) => !renamed.includes(address));
    const edited = {
      ...named,
      ...(act === undefined ? {} : { thread_id: await phoneThreadId(work, ctx.inbox.id, act.to) }),
      names: namesOf([...to, ...cc, ...bcc, reply_to], { ...Object.fromEntries(kept), ...names }),
      html_changes,
      attachments,
      ...afterEdit(current, time),
      // Whoever changes a draft answers for what is sent.
      asked_by_key_id,
      updated_at: iso(ctx.now),
    };
    const [changed] = await work.update("drafts", { id: draft_id }, edited);
    if (changed === undefined) throw notFound("draft_not_found", "dft", draft_id);
    addBlobUses(work, changed);
    if (time !== null) {
      await checkBudget(work, asked_by_key_id, changed, ctx.now);
      const { in_reply_to } = changed;
      await checkReplied(work, inbox, { in_reply_to, allow_multiple, draft_id });
      work.job({ kind: "draft.send", subject_id: draft_id, due_at: new Date(time) });
    }
    return showDraft(changed, ctx.options);
  });
}

/** The attachments without the removed ones. Fails with `attachment_not_found`. */
function without(attachments: readonly StoredAttachment[], removed: readonly string[]): StoredAttachment[] {
  const missing = removed.find((id) => !attachments.some((attachment) => attachment.id === id));
  if (missing !== undefined) throw notFound("attachment_not_found", "att", missing);
  return attachments.filter(({ id }) => !removed.includes(id));
}
